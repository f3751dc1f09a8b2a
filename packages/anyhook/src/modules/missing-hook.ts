import type { HookFailure } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import type { ForeignModule } from './loader.ts';

/**
 * A module that cannot be loaded may have held a guard: it fails by its dialect's rule for one, until it is mended.
 * `on`: the dialect's word for the event before a tool runs.
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
