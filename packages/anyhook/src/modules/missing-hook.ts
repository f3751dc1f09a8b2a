import type { HookFailure } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { ForeignModule } from './loader.ts';

/**
 * Creates a hook for a module that cannot be loaded. It may have contained a guard, so it fails by the rule of its
 * dialect until it is fixed.
 * `on` is the dialect's name for the event before a tool runs.
 */
export const missingModuleHook = (
  dialect: string,
  on: string,
  module: ForeignModule,
  why: HookFailure,
): Hook => ({
  id: `${dialect}:${module.shown}`,
  dialect,
  on,
  origin: { layer: module.layer, file: module.shown, line: 1 },
  roles: ['guard'],
  match: { kind: 'any' },
  label: module.shown,
  run: { kind: 'missing', why },
  background: false,
  shadow: false,
  timeoutMs: 1000,
});
