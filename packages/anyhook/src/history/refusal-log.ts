/** The refusals that one session remembers, from its calls in recorded order. */

import type { Event } from '../events/event.ts';
import type { Ruling } from '../events/outcome.ts';
import { type ReadRecord, recordedText } from '../journal/index.ts';
import { type CallAct, covers } from './act-targets.ts';

export interface Refusal {
  /** Id of the hook, or of the user. */
  readonly by: string;
  readonly reason: string;
  readonly acts: readonly string[];
  /** When it was refused first, in milliseconds since 1970. */
  readonly atMs: number;
  /** The refused call, to ask the hook again. Absent if parts of it are missing in the record. */
  readonly event?: Event;
  readonly isFinal: boolean;
  /** How often calls that do this were refused. */
  readonly times: number;
}
type OpenRefusal = { -readonly [K in keyof Refusal]: Refusal[K] } & { readonly calls: Set<string> };

/** One answered event, from a ruling or from a record. */
export interface AnsweredCall {
  readonly event: Event;
  readonly ruling: Pick<Ruling, 'verdict' | 'sticky'>;
  readonly reason: string;
  readonly atMs: number;
  readonly isPartial: boolean;
}

/** The oldest refusal is dropped beyond this number. */
const MOST_REFUSALS = 1000;

export class RefusalLog {
  readonly #refusals = new Map<string, OpenRefusal>();
  /** Refusals that the agent asks its user about, by the id of the call. */
  readonly #asked = new Map<string, string>();

  get isEmpty(): boolean {
    return this.#refusals.size === 0;
  }

  /** Ids of calls whose results show whether the user let them run. */
  get asked(): readonly string[] {
    return [...this.#asked.keys()];
  }

  add(answered: AnsweredCall): void {
    const { name, ids } = answered.event;
    if (name === 'tool.before') return this.#judged(answered);
    if (name !== 'tool.after' && name !== 'tool.failed') return;
    const key = ids.call === undefined ? undefined : this.#asked.get(ids.call);
    if (key === undefined) return;
    this.#asked.delete(ids.call!);
    this.#refusals.delete(key); // the user let it run
  }

  /** Refusals that a call with these acts repeats. A call that is exactly the refused one is left to its hook. */
  repeatedBy(acts: readonly CallAct[], call: string): readonly Refusal[] {
    return [...this.#refusals.values()].filter(
      (refusal) =>
        !refusal.calls.has(call) &&
        refusal.acts.every((remembered) => acts.some((act) => covers(act, remembered))),
    );
  }
  /** The refusal of exactly this call. */
  of(call: string): Refusal | undefined {
    return [...this.#refusals.values()].find(({ calls }) => calls.has(call));
  }

  #judged({ event, ruling: { sticky, verdict }, reason, atMs, isPartial }: AnsweredCall): void {
    if (sticky === undefined) return;
    if (sticky.kind === 'repeated') return this.#repeated(sticky, verdict, event.ids.call);
    const { by, acts, call, isFinal = false } = sticky;
    const key = keyOf(by, acts);
    const known = this.#refusals.get(key);
    if (known !== undefined) {
      known.times++;
      known.calls.add(call);
      return;
    }
    this.#refusals.set(key, {
      by,
      reason,
      acts,
      atMs,
      ...(!isPartial && { event }),
      isFinal,
      times: 1,
      calls: new Set([call]),
    });
    const [oldest] = this.#refusals.keys();
    if (this.#refusals.size > MOST_REFUSALS && oldest !== undefined) this.#refusals.delete(oldest);
  }
  #repeated(
    { by, atMs }: Extract<Ruling['sticky'], { kind: 'repeated' }>,
    verdict: Ruling['verdict'],
    call: string | undefined,
  ): void {
    for (const [key, refusal] of this.#refusals) {
      if (refusal.by !== by || refusal.atMs !== atMs) continue;
      if (verdict === 'deny' || verdict === 'defer') refusal.times++;
      else if (verdict !== 'ask') this.#refusals.delete(key);
      else if (call !== undefined) this.#asked.set(call, key);
    }
  }
}

const keyOf = (by: string, acts: readonly string[]): string => JSON.stringify([by, ...acts.toSorted()]);

export function answeredIn(record: ReadRecord): AnsweredCall | undefined {
  const {
    event: name,
    ids,
    scene,
    native,
    before,
    verdict,
    sticky,
    reasons,
    at,
    cut = 0,
    redacted = 0,
  } = record;
  if (name !== 'tool.before' && name !== 'tool.after' && name !== 'tool.failed') return undefined;
  if (name === 'tool.before' && sticky === undefined) return undefined;
  return {
    event: { name, payload: before, ids, scene, ...(native && { native }), round: 1 } as Event,
    ruling: { verdict, ...(sticky && { sticky }) },
    reason: reasonOf(
      reasons.map(({ by, text }) => ({ by, text: recordedText(text) })),
      sticky,
    ),
    atMs: Date.parse(at),
    isPartial: cut + redacted > 0,
  };
}
export const reasonOf = (reasons: Ruling['reasons'], sticky: Ruling['sticky']): string =>
  reasons.find(({ by }) => by === sticky?.by)?.text ?? '';
