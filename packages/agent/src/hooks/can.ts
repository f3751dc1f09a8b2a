/** What this agent does with hooks' answers: at every event that it fires, all that counts there, but for one. */
import { type Capabilities, EVENTS } from 'anyhook';
import { NOT_FIRED } from './not-fired.ts';

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
