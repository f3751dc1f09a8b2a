/** Where a hook is fired by a host that lacks its event. */
import { dialectsNamed } from '../dialects.ts';
import { type Capabilities, lacksOf } from '../events/capabilities.ts';
import { EVENT_NAMES, type EventName } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import { firedAt } from '../events/nearest.ts';

export interface FiredElsewhere {
  readonly from: EventName;
  /** Empty: nothing the host has comes near, so the hook is never asked there. */
  readonly to: readonly EventName[];
  /** Our loader calls the hook by itself, then. */
  readonly instead?: string;
}

/** Nothing for a hook one of whose events the host has. */
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
