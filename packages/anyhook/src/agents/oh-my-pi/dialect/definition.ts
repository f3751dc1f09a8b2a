/** Converts one handler of a hook module to a hook of the engine. */

import type { Hook, Origin, Ways } from '../../../events/hook.ts';
import { rolesOn } from '../../../events/roles.ts';
import { shortName } from '../../../events/short-name.ts';
import { eventOfPi, isToolObserver } from './names.ts';

export interface Handler {
  /** The event name of oh-my-pi. */
  readonly on: string;
  /** From 1, within its module and event. */
  readonly nth: number;
  readonly origin: Origin;
  readonly fn: Ways['call']['fn'];
  readonly timeoutMs: number;
  /** The module is an extension, so its changes in place count. */
  readonly isExtension?: boolean;
}

/** Undefined for an event that never fires here. */
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
