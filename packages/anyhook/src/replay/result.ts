/** Restores a recorded event so that it can be fired again, and compares the old decision with the new one. */

import { same } from '../events/changes.ts';
import type { Fields } from '../events/effects.ts';
import type { EventInput } from '../events/event.ts';
import { respell } from '../events/lexicon.ts';
import type { Ruling } from '../events/outcome.ts';
import type { ReadRecord } from '../journal/index.ts';

export interface Decision {
  readonly verdict: Ruling['verdict'];
  readonly flow: readonly string[];
  readonly after?: unknown;
}
export interface ReplayResult {
  readonly record: ReadRecord;
  readonly before: Decision;
  readonly now: Decision;
  readonly reasons: readonly string[];
  readonly isSame: boolean;
  /** Why the result is uncertain. */
  readonly inexact: readonly string[];
}

/** With the host's own names, because matchers use them. */
export function recordedInput({ event, before, ids, scene, native, usage }: ReadRecord): EventInput {
  const { tool, input } = (before ?? {}) as { tool?: unknown; input?: unknown };
  const nativeCall =
    native === undefined || typeof tool !== 'string'
      ? {}
      : { tool: native.tool, input: respell((input ?? {}) as Fields, native) };
  // The journal keeps what was fired. Shortened values are reported with the difference.
  const payload = { ...(before as object), ...nativeCall };
  return { name: event, payload, ids, scene, ...(usage && { usage }) } as EventInput;
}

export function compared(record: ReadRecord, outcome: Ruling): ReplayResult {
  const before: Decision = {
    verdict: record.verdict,
    flow: Object.keys(record.flow).toSorted(),
    ...(record.after !== undefined && { after: record.after }),
  };
  const now: Decision = {
    verdict: outcome.verdict,
    flow: Object.keys(outcome.flow).toSorted(),
    ...(outcome.changed.length > 0 && { after: inOurWords(record, outcome.payload) }),
  };
  const inexact = [
    ...((record.redacted ?? 0) > 0 ? [`${record.redacted} secrets were taken out of the record`] : []),
    ...((record.cut ?? 0) > 0 ? [`${record.cut} long texts were shortened in the record`] : []),
    ...(record.paused === true ? ['hooks were paused when it was recorded'] : []),
  ];
  return {
    record,
    before,
    now,
    reasons: outcome.reasons.map(({ text }) => text),
    isSame: same(before, now),
    inexact,
  };
}

function inOurWords({ native, before }: ReadRecord, payload: Fields): Fields {
  if (native === undefined) return payload;
  const theirs = new Map(Object.entries(native.args).map(([ours, name]) => [name, ours]));
  const input = Object.fromEntries(
    Object.entries((payload['input'] ?? {}) as Fields).map(([key, value]) => [theirs.get(key) ?? key, value]),
  );
  return { ...payload, tool: (before as Fields)['tool'], input };
}
