/** May what an event announces happen? Which effects stop it is read off the table, never asked by an event's name. */
import type { EffectKind } from './effects.ts';
import { type EventName, rowOf } from './events.ts';
import { byEvent } from './by-event.ts';
import type { Ruling } from './outcome.ts';

export type Proceed = 'yes' | 'ask' | 'no';

type Stops = { readonly [K in EffectKind]?: Exclude<Proceed, 'yes'> };
/** Effects that are not listed stop nothing. */
const STOPS: Stops = { deny: 'no', defer: 'no', ask: 'ask', halt: 'no', cancel: 'no', resume: 'no' };
/** On an event that announces an end only `resume` stops it: whoever halts the agent wants that end too. */
const STOPS_AN_END: Stops = { resume: 'no' };
const stopsOn = (name: EventName): Stops => (rowOf(name).ends === true ? STOPS_AN_END : STOPS);

/** The effects that stop what this event announces; none where nothing can be refused any more. */
export const stoppedBy = (name: EventName): readonly EffectKind[] =>
  rowOf(name).effects.filter((kind) => stopsOn(name)[kind] !== undefined);

/** What comes of each event when no hook decides. Read at every fire: a lookup and no more. */
export const UNANSWERED = byEvent((name): Proceed => rowOf(name).unanswered ?? 'yes');

/** What stands where hooks stop something and none of them says why. */
export const NO_REASON = 'blocked by a hook that gave no reason';
const ASKED = 'a hook wants a person to decide, and gave no reason';
const GO_ON = 'a hook wants you to go on, and gave no reason';

interface Decision {
  readonly proceed: Proceed;
  /** For the model: never empty where a hook stops something. */
  readonly reason: string;
}

export function decide({ verdict, reasons, flow, aborted }: Ruling, name: EventName): Decision {
  if (verdict === 'none' && !aborted && Object.keys(flow).length === 0)
    return { proceed: UNANSWERED[name], reason: reasonsText(reasons) };
  const row = rowOf(name);
  const stops = stopsOn(name);
  const isHalted = row.ends === true && flow.halt !== undefined;
  const causes = [
    { kind: verdict, text: reasonsText(reasons) },
    ...Object.entries(isHalted ? {} : flow).map(([kind, text]) => ({ kind, text })),
  ].map(({ kind, text }) => ({ proceed: stops[kind as EffectKind], text }));
  const proceed = (['no', 'ask'] as const).find((word) => causes.some((cause) => cause.proceed === word));
  if (proceed !== undefined) {
    const said = causes.find((cause) => cause.proceed === proceed && cause.text !== '')?.text;
    return { proceed, reason: said ?? (row.ends === true ? GO_ON : proceed === 'ask' ? ASKED : NO_REASON) };
  }
  // An interrupted fire has not asked every hook, which is no consent; an event that announces an end happens all the same.
  if (aborted && row.ends !== true && stoppedBy(name).length > 0) return { proceed: 'no', reason: 'aborted' };
  return { proceed: verdict === 'allow' ? 'yes' : UNANSWERED[name], reason: reasonsText(reasons) };
}

const reasonsText = (reasons: Ruling['reasons']): string =>
  [...new Set(reasons.map(({ text }) => text))].filter((text) => text !== '').join('\n');
