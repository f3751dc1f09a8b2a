import type { Capabilities } from '../../events/capabilities.ts';
import type { EventName } from '../../events/events.ts';

/** Less the events that an agent has and our bridge does not bring: no hook hears of them there, and `list` says so. */
export const without = (can: Capabilities, ...unbrought: readonly EventName[]): Capabilities =>
  Object.fromEntries(Object.entries(can).filter(([name]) => !unbrought.includes(name as EventName)));
