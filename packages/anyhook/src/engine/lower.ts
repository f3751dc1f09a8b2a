/** What is left of an outcome in a host that cannot do everything. Never weaker: what cannot be done is refused, or said. */
import type { Capabilities, Grade } from '../canon/capabilities.ts';
import { type EffectKind, type Fields, REFUSALS, type FlowKind } from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import type { Ruling } from '../canon/outcome.ts';
import { decides } from '../canon/roles.ts';

export function lower(outcome: Ruling, event: Event, can: Capabilities): Ruling {
  if (isQuiet(outcome)) return outcome;
  const grades: Grades = can[event.name] ?? {};
  const lost: string[] = [...outcome.lost];
  const made = changesOf(outcome, event, grades, lost);
  const low = verdictOf(flowOf(made, event, grades, lost), event, grades, lost);
  return { ...low, said: saidOf(low, grades, lost), given: givenOf(low, grades, lost), lost };
}

type Grades = { readonly [K in EffectKind]?: Grade };

const isQuiet = (o: Ruling) =>
  o.verdict === 'none' &&
  o.changed.length === 0 &&
  o.said.length === 0 &&
  o.given.length === 0 &&
  Object.keys(o.flow).length === 0;

const canDeny = ({ deny }: Grades) => deny === 'full' || (typeof deny === 'object' && deny.as === 'deny');

/** The host refuses: nothing changes, and what was for the model is dropped as with any refusal. */
function refuse(outcome: Ruling, event: Event, text: string): Ruling {
  const before = outcome.verdict === 'ask' || outcome.verdict === 'defer' ? outcome.reasons : [];
  return {
    ...outcome,
    verdict: 'deny',
    payload: event.payload as Fields,
    changed: [],
    reasons: [{ by: 'host', text }, ...before],
    said: outcome.said.filter((one) => one.to === 'person'),
  };
}

const aloud = (outcome: Ruling, text: string): Ruling => ({
  ...outcome,
  said: [...outcome.said, { by: 'host', to: 'person', text }],
});

/** A change the host cannot make: the call is refused, or, where nothing can be refused, the change is lost aloud. */
function changesOf(outcome: Ruling, event: Event, grades: Grades, lost: string[]): Ruling {
  const { verdict, changed } = outcome;
  if (changed.length === 0 || grades.set === 'full' || (verdict === 'deny' && canDeny(grades)))
    return outcome;
  const text = `this host cannot change ${changed.map((c) => c.at).join(', ')}`;
  lost.push(text);
  const unchanged: Ruling = { ...outcome, payload: event.payload as Fields, changed: [] };
  if (verdict === 'deny') return unchanged;
  return decides(event.name) ? refuse(unchanged, event, text) : aloud(unchanged, text);
}

/** A halt or a cancel the host cannot do is a refusal where it can refuse, and said aloud where it cannot. */
function flowOf(outcome: Ruling, event: Event, grades: Grades, lost: string[]): Ruling {
  let low = outcome;
  const kept: Partial<Record<FlowKind, string>> = {};
  for (const [turn, reason] of Object.entries(outcome.flow) as [FlowKind, string][]) {
    if (grades[turn] === 'full') {
      kept[turn] = reason;
      continue;
    }
    lost.push(`${turn}${reason ? ` (${reason})` : ''}`);
    if (!REFUSALS.has(turn) || low.verdict === 'deny') continue;
    low =
      decides(event.name) && canDeny(grades)
        ? refuse(low, event, `this host cannot ${turn}: ${reason || 'no reason given'}`)
        : aloud(low, `${turn} is NOT enforced by this host`);
  }
  return { ...low, flow: kept };
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
    const text = `this host cannot ${verdict}: ${reasons.map((r) => r.text).join('; ') || 'no reason given'}`;
    lost.push(`${verdict}: refused instead`);
    return { ...refuse(outcome, event, text), reasons: reasons.map((r) => ({ ...r, text: r.text || text })) };
  }
  const loud = `${verdict} is NOT enforced by this host`;
  lost.push(loud);
  return aloud(outcome, loud);
}

function saidOf(outcome: Ruling, grades: Grades, lost: string[]): Ruling['said'] {
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

function givenOf(outcome: Ruling, grades: Grades, lost: string[]): Ruling['given'] {
  if (outcome.given.length === 0 || grades.give === 'full') return outcome.given;
  for (const { what, by } of outcome.given) lost.push(`${what} from ${by}`);
  return [];
}
