/** Finds the event at which a hook fires if the host lacks the hook's own event. */

import { dialectsNamed } from '../dialects.ts';
import { type Capabilities, lacksOf } from '../events/capabilities.ts';
import { EVENT_NAMES, type EventName } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import { firedAt } from '../events/nearest.ts';

export interface FiredElsewhere {
  readonly from: EventName;
  /** Empty if no host event comes close, so the hook is never called. */
  readonly to: readonly EventName[];
  /** If set, our module loader calls the hook itself. */
  readonly instead?: string;
}

/** Returns undefined if the host has at least one event of the hook. */
export function firedElsewhere(
  can: Capabilities,
  { dialect, on }: Pick<Hook, 'dialect' | 'on'>,
): FiredElsewhere | undefined {
  const { words, calledByLoader } = dialectsNamed([dialect]).dialects[0] ?? {};
  const events = EVENT_NAMES.filter((name) => words?.[name]?.includes(on) === true);
  const lacks = lacksOf(can);
  const [from] = events;
  if (from === undefined || events.some((name) => !lacks.includes(name))) return undefined;
  const instead = calledByLoader?.[on];
  return { from, to: firedAt(from, lacks), ...(instead !== undefined && { instead }) };
}
