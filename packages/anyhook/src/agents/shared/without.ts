import type { Capabilities } from '../../events/capabilities.ts';
import type { EventName } from '../../events/events.ts';

/** Removes events that our bridge does not forward. No hook receives them, and `list` reports that. */
export const without = (can: Capabilities, ...unbrought: readonly EventName[]): Capabilities =>
  Object.fromEntries(Object.entries(can).filter(([name]) => !unbrought.includes(name as EventName)));
