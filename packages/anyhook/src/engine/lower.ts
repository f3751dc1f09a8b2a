/** What is left of an outcome in a host that cannot do everything. Never weaker: what cannot be done is refused, or said. */
import type { Capabilities, Grade } from '../canon/capabilities.ts';
import type { EffectKind, Fields, Turn } from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import type { Outcome } from '../canon/outcome.ts';
import { decides } from '../canon/roles.ts';

export function lower(outcome: Outcome, event: Event, can: Capabilities): Outcome {
  if (isQuiet(outcome)) return outcome;
  const grades: { readonly [K in EffectKind]?: Grade } = can[event.name] ?? {};
  const lost: string[] = [...outcome.lost];
  const low = verdictOf(changesOf(outcome, event, grades, lost), event, grades, lost);
  return {
    ...low,
    said: saidOf(low, grades, lost),
    flow: flowOf(low, grades, lost),
    given: givenOf(low, grades, lost),
    lost,
  };
}

type Grades = { readonly [K in EffectKind]?: Grade };

const isQuiet = (o: Outcome) =>
  o.verdict === 'none' &&
  o.changed.length === 0 &&
  o.said.length === 0 &&
  o.given.length === 0 &&
  Object.keys(o.flow).length === 0;

function refuse(outcome: Outcome, event: Event, text: string): Outcome {
  return { ...outcome, verdict: 'deny', payload: event.payload as Fields, reasons: [{ by: 'host', text }] };
}

/** A change the host cannot make: the call is refused, or, where nothing can be refused, the change is lost aloud. */
function changesOf(outcome: Outcome, event: Event, grades: Grades, lost: string[]): Outcome {
  if (outcome.verdict === 'deny' || outcome.changed.length === 0 || grades.set === 'full') return outcome;
  const text = `this host cannot change ${outcome.changed.map((c) => c.at).join(', ')}`;
  lost.push(text);
  return decides(event.name)
    ? refuse(outcome, event, text)
    : { ...outcome, payload: event.payload as Fields };
}

function verdictOf(outcome: Outcome, event: Event, grades: Grades, lost: string[]): Outcome {
  const { verdict } = outcome;
  const grade = verdict === 'none' ? 'full' : grades[verdict];
  if (grade === 'full') return outcome;
  if (verdict === 'allow') {
    lost.push('allow: the host asks as usual');
    return { ...outcome, verdict: 'none', reasons: [] };
  }
  const stricter =
    typeof grade === 'object' ? grade.as === 'deny' : verdict !== 'deny' && grades.deny === 'full';
  if (stricter) {
    const text = `this host cannot ${verdict}: ${outcome.reasons.map((r) => r.text).join('; ') || 'no reason given'}`;
    lost.push(`${verdict}: refused instead`);
    return {
      ...refuse(outcome, event, text),
      reasons: outcome.reasons.map((r) => ({ ...r, text: r.text || text })),
    };
  }
  const loud = `${String(verdict)} is NOT enforced by this host`;
  lost.push(loud);
  return { ...outcome, said: [...outcome.said, { by: 'host', to: 'person', text: loud }] };
}

function saidOf(outcome: Outcome, grades: Grades, lost: string[]): Outcome['said'] {
  return outcome.said.flatMap((one) => {
    if (one.by === 'host') return [one];
    const kind = one.to === 'model' ? 'context' : 'notice';
    const grade = grades[kind];
    if (grade === 'full') return [one];
    if (typeof grade === 'object' && grade.as === 'notice') return [{ ...one, to: 'person' as const }];
    lost.push(`${kind} from ${one.by}`);
    return [];
  });
}

function flowOf(outcome: Outcome, grades: Grades, lost: string[]): Outcome['flow'] {
  const kept = Object.entries(outcome.flow).filter(([turn, reason]) => {
    if (grades[turn as Turn] === 'full') return true;
    lost.push(`${turn}${reason ? ` (${reason})` : ''}`);
    return false;
  });
  return Object.fromEntries(kept);
}

function givenOf(outcome: Outcome, grades: Grades, lost: string[]): Outcome['given'] {
  if (outcome.given.length === 0 || grades.give === 'full') return outcome.given;
  for (const { what, by } of outcome.given) lost.push(`${what} from ${by}`);
  return [];
}
