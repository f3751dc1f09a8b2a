/** Creates one log per record. Its body is the exact journal line, so that any receiver can check its hash. */

import { SeverityNumber } from '@opentelemetry/api-logs';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { LineEntry } from 'anyhook/journal';
import { attributesOf, type JournalPiece, PIECE_ATTRIBUTES, RECORD_ATTRIBUTES } from './attributes.ts';
import { SCOPE } from './scope.ts';
import { contextOf, hrTime, traceOf } from './spans.ts';

export interface ShippedLine {
  readonly file: string;
  readonly text: string;
  readonly entry: LineEntry;
}

/** Length of the body of a record that is too large for the collector. */
const CUT_CHARACTERS = 1024;

export function logOf(
  line: ShippedLine,
  resource: Resource,
  size: 'whole' | 'cut' = 'whole',
): ReadableLogRecord {
  const { file, text, entry } = line;
  const piece: JournalPiece = { file, ...(size === 'cut' && { isCut: true }) };
  const body = size === 'cut' ? text.slice(0, CUT_CHARACTERS) : text;
  if (entry.kind === 'damage')
    return logWith({ eventName: 'anyhook.damage', body, atMs: Date.now(), resource }, SeverityNumber.ERROR, {
      ...attributesOf(PIECE_ATTRIBUTES, { ...piece, damage: entry.why }),
    });
  const { record } = entry;
  const trace = traceOf(record);
  const eventName = record.late === true ? 'anyhook.late' : 'anyhook.fire';
  const isWorthALook = record.verdict === 'deny' || record.hooks.some(({ failed }) => failed !== undefined);
  const log = logWith(
    { eventName, body, atMs: Date.parse(record.at), resource },
    isWorthALook ? SeverityNumber.WARN : SeverityNumber.INFO,
    { ...attributesOf(RECORD_ATTRIBUTES, record), ...attributesOf(PIECE_ATTRIBUTES, piece) },
  );
  return { ...log, spanContext: contextOf(trace, trace.span) };
}

/** A part of the head of a session's chains. It shows the receiver whether the end of a chain is missing. */
export const headLogOf = (
  head: Required<Pick<JournalPiece, 'file' | 'from'>>,
  body: string,
  resource: Resource,
) =>
  logWith(
    { eventName: 'anyhook.head', body, atMs: Date.now(), resource },
    SeverityNumber.INFO,
    attributesOf(PIECE_ATTRIBUTES, head),
  );

interface LogFacts {
  readonly eventName: string;
  readonly body: string;
  readonly atMs: number;
  readonly resource: Resource;
}

const logWith = (
  { eventName, body, atMs, resource }: LogFacts,
  severityNumber: SeverityNumber,
  attributes: ReadableLogRecord['attributes'],
): ReadableLogRecord => ({
  hrTime: hrTime(atMs),
  hrTimeObserved: hrTime(Date.now()),
  severityNumber,
  severityText: SeverityNumber[severityNumber],
  eventName,
  body,
  attributes,
  resource,
  instrumentationScope: SCOPE,
  droppedAttributesCount: 0,
});
