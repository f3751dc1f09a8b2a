/** Converts a hook defined in code to the engine's format. */

import type { Definition } from '../../../events/define.ts';
import type { EventName } from '../../../events/events.ts';
import type { Hook, Origin, Way } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { OBSERVES, rolesOn } from '../../../events/roles.ts';
import { OWN_TIMEOUT_MS } from './config-entry.ts';
import { type MatcherFault, OWN_MATCH_ANY, readMatcher } from './match.ts';

export type DescribedHook = Omit<Definition, 'run'>;

export interface DefinedHook {
  readonly hook: Hook;
  readonly problems: readonly Problem[];
}

const NONE: readonly Problem[] = [];
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** An invalid matcher must not disable a guard. The hook stays and fails by its policy. */
export function hookFromDefinition(
  definition: DescribedHook,
  key: string,
  origin: Origin,
  run: Way,
): DefinedHook {
  const { on, name, status, onFailure, opaque, background = false } = definition;
  const source = typeof definition.match === 'string' ? definition.match : definition.match?.join('|');
  const { matcher, fault } = source === undefined ? { matcher: OWN_MATCH_ANY } : readMatcher(source, on);
  const problems: readonly Problem[] = fault
    ? [
        {
          ...fault,
          file: origin.file,
          line: origin.line,
          key: `${key}.match`,
          message: `${source}: ${fault.message}`,
        },
      ]
    : NONE;
  // Built as one object without spreading, because there may be ten thousand of them.
  const hook: Writable<Hook> = {
    id: name ?? `${origin.file}#${key}`,
    dialect: 'anyhook',
    on,
    origin,
    roles: definition.roles ?? (background ? OBSERVES : rolesOn(on)),
    match: (matcher ?? OWN_MATCH_ANY).match,
    run: matcher === undefined ? broken(fault) : run,
    background,
    shadow: definition.shadow ?? false,
    timeoutMs: definition.timeoutMs ?? OWN_TIMEOUT_MS,
    matcher: source ?? '',
  };
  if (source === undefined) delete hook.matcher;
  if (matcher?.when !== undefined) hook.when = matcher.when;
  if (onFailure !== undefined) hook.onFailure = onFailure;
  if (opaque !== undefined) hook.opaque = opaque;
  if (definition.sticky === false) hook.sticky = false;
  if (status !== undefined) hook.status = status;
  return { hook, problems };
}

const broken = (fault: MatcherFault | undefined): Way => ({
  kind: 'missing',
  why: { kind: 'not-loaded', detail: fault?.message ?? '' },
});

/** Creates a failing hook for something that could not be loaded: on its event, or on every event if it is unknown. */
export function missingOwnHook(
  on: EventName,
  id: string,
  origin: Origin,
  why: Extract<Way, { kind: 'missing' }>['why'],
): Hook {
  return {
    id,
    dialect: 'anyhook',
    on,
    origin,
    roles: rolesOn(on),
    ...OWN_MATCH_ANY,
    run: { kind: 'missing', why },
    background: false,
    shadow: false,
    timeoutMs: OWN_TIMEOUT_MS,
  };
}
