/** One handler of a hook module, as a hook for the engine. */
import type { Hook, Origin, Ways } from '../../../events/hook.ts';
import { rolesOn } from '../../../events/roles.ts';
import { shortName } from '../../../events/short-name.ts';
import { eventOfPi, isToolObserver } from './names.ts';

export interface Handler {
  /** oh-my-pi's word. */
  readonly on: string;
  /** From 1, within its module and event. */
  readonly nth: number;
  readonly origin: Origin;
  readonly fn: Ways['call']['fn'];
  readonly timeoutMs: number;
  /** Of an extension module: what it changes in its event in place counts. */
  readonly isExtension?: boolean;
}

/** None for an event that nobody here fires. */
export function hookFromHandler({
  on,
  nth,
  origin,
  fn,
  timeoutMs,
  isExtension = false,
}: Handler): Hook | undefined {
  const name = eventOfPi(on);
  if (name === undefined) return undefined;
  return {
    id: `oh-my-pi:${origin.file}#${on}.${nth}`,
    dialect: 'oh-my-pi',
    on,
    origin,
    roles: isToolObserver(on) ? ['observer'] : rolesOn(name),
    match: { kind: 'any' },
    label: `${shortName(origin.file)} ${on}`,
    run: { kind: 'call', fn },
    background: false,
    shadow: false,
    timeoutMs,
    ...(isExtension && { extra: { extension: true } }),
  };
}
