/**
 * Sends records to an OTLP collector: at least once, in order, with hashes. Logs carry everything and are retried
 * until accepted. Spans and metrics come from the same lines; if a collector rejects them, a warning says so.
 */

import { createHash } from 'node:crypto';
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { readLine } from 'anyhook/journal';
import { type Pauses, pauses } from '../nats/pauses.ts';
import type { Source } from '../nats/subject.ts';
import { headLogOf, logOf, type ShippedLine } from '../otlp/logs.ts';
import { addedUp, metricsOf, noTotals, type Totals } from '../otlp/metrics.ts';
import { type CollectorOptions, post } from '../otlp/post.ts';
import { resourceOf } from '../otlp/scope.ts';
import { spansOf } from '../otlp/spans.ts';
import type { Chunk } from './chunk.ts';
import type { Place, ResumePoint } from './place.ts';

export interface OtlpOptions extends CollectorOptions {
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly say: (message: string) => void;
}

/** Longer than any line of a journal, so that a record is never split. */
const CHUNK_BYTES = 1024 * 1024;

export const openOtlp =
  (options: OtlpOptions): ((resumed: ResumePoint) => Place) =>
  ({ state }) =>
    new OtlpPlace(options, state as Totals | undefined);

/** The same for the same collector. */
export const otlpKey = ({ endpoint, source }: Pick<OtlpOptions, 'endpoint' | 'source'>): string =>
  `otlp-${createHash('sha256')
    .update(`${endpoint}\0${source.machine}\0${source.user}`)
    .digest('hex')
    .slice(0, 16)}`;

type Signal = 'logs' | 'traces' | 'metrics';

class OtlpPlace implements Place {
  readonly key: string;
  readonly name: string;
  readonly most = CHUNK_BYTES;
  readonly takesHeads = true;
  readonly #options: OtlpOptions;
  readonly #resource: Resource;
  readonly #pause: Pauses;
  readonly #reported = new Set<string>();
  #totals: Totals;

  constructor(options: OtlpOptions, totals: Totals = noTotals()) {
    this.#options = options;
    this.#resource = resourceOf(options.source);
    this.#totals = totals;
    this.key = otlpKey(options);
    this.name = `the collector at ${new URL(options.endpoint).origin}`;
    this.#pause = pauses(options.signal, (why) =>
      options.say(`${this.name}: ${why}. The journal keeps what waits.`),
    );
  }

  get state(): Totals {
    return this.#totals;
  }

  idOf({ kind, file, journal, from, bytes }: Chunk): string {
    return createHash('sha256')
      .update(`${kind}\0${file}\0${journal}\0${from}\0`)
      .update(bytes)
      .digest('hex')
      .slice(0, 40);
  }

  async send(chunk: Chunk): Promise<undefined> {
    if (chunk.kind === 'head') {
      const { file, from } = chunk;
      const log = headLogOf({ file, from }, chunk.bytes.toString('utf8'), this.#resource);
      await this.#deliver('logs', () => ProtobufLogsSerializer.serializeRequest([log]));
      return undefined;
    }
    const lines = linesIn(chunk);
    await this.#sendLogs(lines);
    await this.#sendSpans(lines);
    const totals = addedUp(
      this.#totals,
      lines.map(({ entry }) => entry),
    );
    await this.#deliver('metrics', () =>
      ProtobufMetricsSerializer.serializeRequest(metricsOf(totals, this.#resource)),
    );
    this.#totals = totals;
    return undefined;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Splits a message that is too large. A single record that is too large is truncated. */
  async #sendLogs(lines: readonly ShippedLine[], size: 'whole' | 'cut' = 'whole'): Promise<void> {
    const logs = lines.map((line) => logOf(line, this.#resource, size));
    const answer = await this.#deliver('logs', () => ProtobufLogsSerializer.serializeRequest(logs));
    if (answer === 'taken') return;
    const [first] = lines;
    if (first === undefined) return;
    if (lines.length > 1) {
      const middle = Math.ceil(lines.length / 2);
      await this.#sendLogs(lines.slice(0, middle), size);
      return this.#sendLogs(lines.slice(middle), size);
    }
    if (size === 'cut') return this.#tell(`${this.name} takes not even the beginning of a record.`);
    this.#tell(`${first.file}: a record is larger than ${this.name} takes: it is cut, and says so.`);
    await this.#sendLogs(lines, 'cut');
  }

  async #sendSpans(lines: readonly ShippedLine[]): Promise<void> {
    const spans = lines.flatMap(({ entry }) =>
      entry.kind === 'record' ? spansOf(entry.record, this.#resource) : [],
    );
    if (spans.length === 0) return;
    const answer = await this.#deliver('traces', () => ProtobufTraceSerializer.serializeRequest(spans));
    if (answer === 'taken' || lines.length === 1) return;
    const middle = Math.ceil(lines.length / 2);
    await this.#sendSpans(lines.slice(0, middle));
    await this.#sendSpans(lines.slice(middle));
  }

  /** Retries until the message is accepted. Permanent rejections are not retried, except for records. */
  async #deliver(signal: Signal, message: () => Uint8Array | undefined): Promise<'taken' | 'too-large'> {
    const bytes = message();
    if (bytes === undefined) return 'taken';
    for (;;) {
      this.#options.signal.throwIfAborted();
      const answer = await post(this.#options, `/v1/${signal}`, bytes, this.#options.signal);
      this.#options.signal.throwIfAborted();
      if (answer.kind === 'taken') {
        this.#pause.over(() => this.#options.say(`${this.name}: ${signal} are taken again.`));
        this.#tellOfRejected(signal, answer.body);
        return 'taken';
      }
      if (answer.kind === 'too-large') return 'too-large';
      if (answer.kind === 'refused' && signal !== 'logs') {
        this.#tell(`${this.name} does not take ${signal} (${answer.why}); the records go out without them.`);
        return 'taken';
      }
      const { why } = answer;
      await this.#pause.after(new Error(`${signal}: ${why}`), answer.kind === 'not-now' ? answer.waitMs : 0);
    }
  }

  /** Reports a partial success. OTLP forbids sending the rejected items again. */
  #tellOfRejected(signal: Signal, body: Uint8Array): void {
    const { count, message } = rejectedIn(signal, body);
    if (count > 0)
      this.#options.say(
        `${this.name} took ${signal} and refused ${count} of them${message === '' ? '' : `: ${message}`}.`,
      );
  }

  #tell(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#options.say(message);
  }
}

function linesIn({ file, bytes }: Chunk): ShippedLine[] {
  const lines: ShippedLine[] = [];
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, newline === -1 ? bytes.length : newline);
    for (const { entry, from: start, to: end } of readLine(line))
      lines.push({ file, text: line.toString('utf8', start, end), entry });
    from += line.length + 1;
  }
  return lines;
}

function rejectedIn(signal: Signal, body: Uint8Array): { readonly count: number; readonly message: string } {
  const nothing = { count: 0, message: '' };
  if (body.length === 0) return nothing;
  try {
    const count = {
      logs: () => ProtobufLogsSerializer.deserializeResponse(body).partialSuccess?.rejectedLogRecords,
      traces: () => ProtobufTraceSerializer.deserializeResponse(body).partialSuccess?.rejectedSpans,
      metrics: () => ProtobufMetricsSerializer.deserializeResponse(body).partialSuccess?.rejectedDataPoints,
    }[signal]();
    const message = ProtobufLogsSerializer.deserializeResponse(body).partialSuccess?.errorMessage ?? '';
    return { count: Number(count ?? 0), message };
  } catch {
    return nothing; // The message was accepted; the response body is not OTLP.
  }
}
