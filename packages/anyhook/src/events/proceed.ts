/**
 * Decides whether the action that an event announces may happen. The table of events lists the effects that
 * stop it.
 */

import { byEvent } from './by-event.ts';
import type { EffectKind } from './effects.ts';
import { type EventName, rowOf } from './events.ts';
import type { Ruling } from './outcome.ts';

export type Proceed = 'yes' | 'ask' | 'no';

type Stops = { readonly [K in EffectKind]?: Exclude<Proceed, 'yes'> };
/** Effects that are not listed stop nothing. */
const STOPS: Stops = { deny: 'no', defer: 'no', ask: 'ask', halt: 'no', cancel: 'no', resume: 'no' };
/**
 * An event that announces an end is stopped only by `resume`: a hook that halts the agent wants the end as
 * well.
 */
const STOPS_AN_END: Stops = { resume: 'no' };
const stopsOn = (name: EventName): Stops => (rowOf(name).ends === true ? STOPS_AN_END : STOPS);

/** Returns the effects that stop the announced action, or none if it cannot be refused. */
export const stoppedBy = (name: EventName): readonly EffectKind[] =>
  rowOf(name).effects.filter((kind) => stopsOn(name)[kind] !== undefined);

/** The result of each event if no hook decides. A table, because it is read at every fire. */
export const UNANSWERED = byEvent((name): Proceed => rowOf(name).unanswered ?? 'yes');

/** Used if hooks stop something without a reason. */
export const NO_REASON = 'blocked by a hook that gave no reason';
const ASKED = 'a hook wants the user to decide, and gave no reason';
const GO_ON = 'a hook wants you to continue, and gave no reason';

interface Decision {
  readonly proceed: Proceed;
  /** For the model. Never empty if a hook stops something. */
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
    const text = causes.find((cause) => cause.proceed === proceed && cause.text !== '')?.text;
    return { proceed, reason: text ?? (row.ends === true ? GO_ON : proceed === 'ask' ? ASKED : NO_REASON) };
  }
  // An aborted fire has not run every hook, so it is no consent. An event that announces an end happens
  // anyway.
  if (aborted && row.ends !== true && stoppedBy(name).length > 0) return { proceed: 'no', reason: 'aborted' };
  return { proceed: verdict === 'allow' ? 'yes' : UNANSWERED[name], reason: reasonsText(reasons) };
}

const reasonsText = (reasons: Ruling['reasons']): string =>
  [...new Set(reasons.map(({ text }) => text))].filter((text) => text !== '').join('\n');
