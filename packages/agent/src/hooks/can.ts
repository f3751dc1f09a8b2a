/** The hook effects that this agent supports: all effects of every event that it fires, with one exception. */

import { type Capabilities, EVENTS, type EventName } from 'anyhook';

/** Events that this agent never fires, each with a reason. The coverage test reads it. */
export const NOT_FIRED: { readonly [E in EventName]?: string } = {};

const ALL = Object.fromEntries(
  Object.entries(EVENTS)
    .filter(([name]) => !Object.hasOwn(NOT_FIRED, name))
    .map(([name, { effects }]) => [name, Object.fromEntries(effects.map((kind) => [kind, 'full' as const]))]),
) as Capabilities;

export const CAN: Capabilities = {
  ...ALL,
  // Commands have no permission dialog: the user sees the reason and can rephrase the command.
  'command.before': { ...ALL['command.before'], ask: { as: 'deny' } },
};
