/** What this agent does with hooks' answers: at every event that it fires, all that counts there, but for one. */
import { type Capabilities, EVENTS, type EventName } from 'anyhook';

/** Events of the canon that this agent never fires, each with its reason. The coverage test reads it, `--help` may print it. */
export const NOT_FIRED: { readonly [E in EventName]?: string } = {};

const ALL = Object.fromEntries(
  Object.entries(EVENTS)
    .filter(([name]) => !Object.hasOwn(NOT_FIRED, name))
    .map(([name, { effects }]) => [name, Object.fromEntries(effects.map((kind) => [kind, 'full' as const]))]),
) as Capabilities;

export const CAN: Capabilities = {
  ...ALL,
  // There is no dialog for it: the person hears why, and can say it in other words.
  'command.before': { ...ALL['command.before'], ask: { as: 'deny' } },
};
