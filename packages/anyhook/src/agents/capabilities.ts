/** The capability table of an agent as rows. Used by the docs pages and by the tests of real agents. */

import type { Grade, Grades } from '../events/capabilities.ts';
import { type EffectKind, REFUSALS } from '../events/effects.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../events/events.ts';
import { decides } from '../events/roles.ts';
import type { Agent } from './shared/agent.ts';
import { type CapabilityCell, CELLS } from './shared/cells.ts';

export function gradeOf({ can }: Agent, cell: CapabilityCell): Grade | undefined {
  const [event, kind] = cell.split(' ') as [EventName, EffectKind]; // every cell has this format
  const grades: Grades | undefined = can[event];
  return grades?.[kind];
}
/** The source of the information. */
export type From = 'seen' | 'documents';
const fromOf = ({ seen, unseen }: Agent, cell: string): From =>
  seen.length > 0 && CELLS.some((one) => one === cell) && !Object.hasOwn(unseen, cell) ? 'seen' : 'documents';

export type Standing = 'full' | 'lost' | `as ${string}`;
function standingOf(event: EventName, kind: EffectKind, grades: Grades): Standing {
  const grade: Grade | undefined = grades[kind];
  if (grade === 'full') return 'full';
  if (grade !== undefined) return 'as' in grade ? `as ${grade.as}` : `as ${grade.only.join(', ')} only`;
  // Lowering turns a change, stop or question that the agent cannot apply into a refusal, if it can refuse.
  const isRefused = (kind === 'set' || REFUSALS.has(kind)) && decides(event) && grades.deny === 'full';
  return isRefused ? 'as deny' : 'lost';
}

/** Returns one row per event of the agent, with the treatment of each effect. */
export function rowsOf(agent: Agent): readonly {
  readonly event: EventName;
  readonly effects: readonly {
    readonly kind: EffectKind;
    readonly standing: Standing;
    readonly from: From;
  }[];
}[] {
  return EVENT_NAMES.flatMap((event) => {
    const grades: Grades | undefined = agent.can[event];
    if (grades === undefined) return [];
    const effects = rowOf(event).effects.map((kind) => ({
      kind,
      standing: standingOf(event, kind, grades),
      from: fromOf(agent, `${event} ${kind}`),
    }));
    return [{ event, effects }];
  });
}
