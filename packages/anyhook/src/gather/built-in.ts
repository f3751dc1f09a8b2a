import type { Effect } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import { BUILT_IN, type Hook, type WayOf } from '../events/hook.ts';

type Judge = (event: Event) => Effect | undefined | Promise<Effect | undefined>;

/** A built-in guard: it cannot be switched off, and its failure blocks. */
export const builtIn = (
  id: string,
  label: string,
  judge: Judge,
  about: Pick<Hook, 'match' | 'when'> & { readonly on?: EventName } = { match: { kind: 'any' } },
): Hook => ({
  id,
  dialect: 'anyhook',
  on: 'tool.before',
  origin: { layer: 'managed', file: BUILT_IN, line: 1 },
  label,
  roles: ['guard'],
  run: { kind: 'call', direct: true, fn: judge as WayOf<'call'>['fn'] },
  background: false,
  shadow: false,
  timeoutMs: 10_000,
  onFailure: 'block',
  ...about,
});
