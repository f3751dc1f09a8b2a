/**
 * Adapts an outcome to a host with limited capabilities. The result is never weaker: what the host cannot do
 * is refused or reported.
 */

import type { Capabilities, Grade, Grades } from '../events/capabilities.ts';
import { type Fields, REFUSALS, type FlowKind, type Gift } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Ruling } from '../events/outcome.ts';
import { decides } from '../events/roles.ts';
import { additionsIn, messageText } from './additions.ts';

export function lower(outcome: Ruling, event: Event, can: Capabilities): Ruling {
  if (isQuiet(outcome)) return outcome;
  const grades: Grades = can[event.name] ?? {};
  const lost: string[] = [...outcome.lost];
  const made = changesOf(outcome, event, grades, lost);
  const low = verdictOf(flowOf(made, event, grades, lost), event, grades, lost);
  const withContexts = messagesAsContext(low, grades);
  return {
    ...withContexts,
    said: textsOf(withContexts, grades, lost),
    given: givenOf(withContexts, grades, lost),
    lost,
  };
}

const isQuiet = (o: Ruling) =>
  o.verdict === 'none' &&
  o.changed.length === 0 &&
  o.said.length === 0 &&
  o.given.length === 0 &&
  Object.keys(o.flow).length === 0;

const canDeny = ({ deny }: Grades) => deny === 'full' || isAs(deny, 'deny');
const isAs = (grade: Grade | undefined, as: 'deny' | 'notice'): boolean =>
  typeof grade === 'object' && 'as' in grade && grade.as === as;

/**
 * Turns the outcome into a refusal by the host on behalf of the given hooks. Drops all changes and all
 * messages for the model.
 */
function refuse(outcome: Ruling, event: Event, text: string, by: readonly string[] = ['host']): Ruling {
  const before = outcome.verdict === 'ask' || outcome.verdict === 'defer' ? outcome.reasons : [];
  return {
    ...outcome,
    verdict: 'deny',
    payload: event.payload as Fields,
    changed: [],
    reasons: [...by.map((one) => ({ by: one, text })), ...before],
    said: outcome.said.filter((one) => one.to === 'person'),
  };
}

const withNotice = (outcome: Ruling, text: string): Ruling => ({
  ...outcome,
  said: [...outcome.said, { by: 'host', to: 'person', text }],
});

/**
 * Handles changes that the host cannot make. Text that is only added for the model is passed as context. Any
 * other change becomes a refusal. If the event cannot be refused, the change is dropped and the user gets a
 * notice.
 */
function changesOf(outcome: Ruling, event: Event, grades: Grades, lost: string[]): Ruling {
  const { verdict, changed } = outcome;
  if (changed.length === 0 || grades.set === 'full' || (verdict === 'deny' && canDeny(grades)))
    return outcome;
  const added = additionsIn(outcome, event);
  if (added !== undefined)
    return { ...outcome, payload: event.payload as Fields, changed: [], said: [...outcome.said, ...added] };
  const text = `this host cannot change ${changed.map((c) => c.at).join(', ')}`;
  lost.push(text);
  const unchanged: Ruling = { ...outcome, payload: event.payload as Fields, changed: [] };
  if (verdict === 'deny') return unchanged;
  if (!decides(event.name)) return withNotice(unchanged, text);
  const by = [...new Set(changed.map((one) => one.by))];
  return refuse(unchanged, event, `${text}; ${CURE}`, by);
}
/** Remedy for a locked-out user. The host adds the hook's name and file. */
const CURE = 'to switch off the hook that asks for it, run: anyhook hooks';

/**
 * Turns a halt or cancel that the host cannot do into a refusal, or into a notice if the event cannot be
 * refused.
 */
function flowOf(outcome: Ruling, event: Event, grades: Grades, lost: string[]): Ruling {
  let low = outcome;
  const enforced: Partial<Record<FlowKind, string>> = {};
  for (const [turn, reason] of Object.entries(outcome.flow) as [FlowKind, string][]) {
    if (grades[turn] === 'full') {
      enforced[turn] = reason;
      continue;
    }
    lost.push(`${turn}${reason ? ` (${reason})` : ''}`);
    if (!REFUSALS.has(turn) || low.verdict === 'deny') continue;
    low = decides(event.name)
      ? refuse(low, event, `this host cannot ${turn}: ${reason || 'no reason given'}`)
      : withNotice(low, `${turn} is NOT enforced by this host`);
  }
  return { ...low, flow: enforced };
}

function verdictOf(outcome: Ruling, event: Event, grades: Grades, lost: string[]): Ruling {
  const { verdict, reasons } = outcome;
  if (verdict === 'none' || grades[verdict] === 'full') return outcome;
  if (verdict === 'allow') {
    lost.push('allow: the host asks as usual');
    return { ...outcome, verdict: 'none', reasons: [] };
  }
  if (canDeny(grades)) {
    if (verdict === 'deny') return outcome;
    const texts = reasons.map((r) => r.text).filter((text) => text !== '');
    const text = `this host cannot ${verdict}: ${texts.join('; ') || 'no reason given'}`;
    lost.push(`${verdict}: refused instead`);
    return { ...refuse(outcome, event, text), reasons: reasons.map((r) => ({ ...r, text: r.text || text })) };
  }
  const loud = `${verdict} is NOT enforced by this host`;
  lost.push(loud);
  return withNotice(outcome, loud);
}

function textsOf(outcome: Ruling, grades: Grades, lost: string[]): Ruling['said'] {
  return outcome.said.flatMap((one) => {
    if (one.by === 'host') return [one];
    const kind = one.to === 'model' ? 'context' : 'notice';
    const grade = grades[kind];
    if (grade === 'full') return [one];
    if (isAs(grade, 'notice')) return [{ ...one, to: 'person' as const }];
    lost.push(`${kind} from ${one.by}`);
    return [];
  });
}

const takes = ({ give }: Grades, what: Gift): boolean =>
  give === 'full' || (typeof give === 'object' && 'only' in give && give.only.includes(what));

/** Passes a message that the host cannot insert to the model as context. */
function messagesAsContext(outcome: Ruling, grades: Grades): Ruling {
  const contexts = outcome.given.flatMap(({ by, what, value }) => {
    const text = what === 'message' && !takes(grades, what) ? messageText(value) : undefined;
    return text === undefined ? [] : [{ by, to: 'model' as const, text }];
  });
  if (contexts.length === 0) return outcome;
  const given = outcome.given.filter(({ what }) => what !== 'message');
  return { ...outcome, given, said: [...outcome.said, ...contexts] };
}

function givenOf(outcome: Ruling, grades: Grades, lost: string[]): Ruling['given'] {
  return outcome.given.filter(({ what, by }) => {
    if (takes(grades, what)) return true;
    lost.push(`${what} from ${by}`);
    return false;
  });
}
