/** What this agent does with hooks' answers: at every event that it fires, all that counts there. */
import { type Capabilities, EVENTS } from 'anyhook';
import { NOT_FIRED } from './not-fired.ts';

export const CAN = Object.fromEntries(
  Object.entries(EVENTS)
    .filter(([name]) => !Object.hasOwn(NOT_FIRED, name))
    .map(([name, { effects }]) => [name, Object.fromEntries(effects.map((kind) => [kind, 'full' as const]))]),
) as Capabilities;
