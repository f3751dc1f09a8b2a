/**
 * Sends records to a collector and decodes them with OpenTelemetry's own definitions, including collectors that
 * misbehave.
 */

import { cpSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookSpanOf } from '../../anyhook/src/events/trace.ts';
import type { Draft } from '../../anyhook/src/journal/index.ts';
import { openOtlp, type OtlpOptions, otlpKey } from '../src/ship/otlp.ts';
import { shipJournals } from '../src/ship/ship.ts';
import { type Collector, startCollector, unwrapped } from './fixtures/collector.ts';
import { draft, type Ground, makeGround } from './fixtures/ground.ts';

let ground: Ground;
let collector: Collector;
beforeEach(async () => {
  ground = makeGround();
  collector = await startCollector();
});
afterEach(() => {
  collector.close();
  ground.close();
});

const write = (...drafts: Draft[]) => {
  const journal = ground.journal('a');
  for (const one of drafts) journal.write(one);
  journal.close();
};
const many = (count: number) => Array.from({ length: count }, (_, at) => draft('a', at));

async function ship(more: Partial<OtlpOptions> = {}, onSent?: () => void): Promise<string[]> {
  const said: string[] = [];
  const options: OtlpOptions = {
    endpoint: collector.endpoint,
    headers: {},
    isGzipped: false,
    timeoutMs: 10_000,
    source: { machine: 'm1', user: 'ann' },
    signal: AbortSignal.timeout(50_000),
    say: (message) => void said.push(message.replace(collector.endpoint, 'it')),
    ...more,
  };
  const { folder, heads } = ground;
  const common = { places: { folder, heads }, key: otlpKey(options), open: openOtlp(options), isOnce: true };
  await shipJournals({ ...common, signal: options.signal, say: options.say, ...(onSent && { onSent }) });
  return said;
}
const hashes = (messages = collector.taken) =>
  unwrapped(messages, 'logs').flatMap(({ attributes }) => attributes['anyhook.record.hash'] ?? []);

const TRACE = {
  id: '0af7651916cd43dd8448eb211c80319c',
  span: '00f067aa0ba902b7',
  parent: 'b7ad6b7169203331',
  flags: '01',
};
const FIRE: Draft = {
  ...draft('a', 1, 'deny'),
  at: '2026-01-02T03:04:05.500Z',
  tookMs: 500,
  origin: { machine: 'm1', user: 'ann', policy: 3 },
  trace: TRACE,
  hooks: [
    { hook: { id: 'guard' }, round: 1, ms: 250, effects: [{ kind: 'deny', reason: 'not here' }] },
    {
      hook: { id: 'slow' },
      round: 1,
      ms: 500,
      failed: { kind: 'timed-out', detail: 'after 500 ms' },
      failedOpen: true,
    },
    { hook: { id: 'other' }, round: 1, ms: 0, skipped: 'in the background' },
  ],
};
const END_NS = Date.parse(FIRE.at) * 1e6;

test('a record is a log with its hash, and its body is the line of the journal', async () => {
  write(FIRE);
  expect(await ship({ headers: { authorization: 'Bearer x' }, isGzipped: true })).toEqual([]);
  const [log, head] = unwrapped(collector.taken, 'logs');
  expect(hashes()).toEqual(ground.hashes());
  expect(log).toEqual({
    time_unix_nano: END_NS,
    observed_time_unix_nano: expect.any(Number),
    severity_number: 13,
    severity_text: 'WARN',
    body: expect.stringContaining(`"hash":"${ground.hashes()[0]}"}`),
    attributes: {
      'anyhook.record.hash': ground.hashes()[0],
      'anyhook.record.seq': 1,
      'anyhook.record.writer': expect.any(String),
      'anyhook.record.prev': expect.any(String),
      'anyhook.event': 'tool.before',
      'anyhook.session.id': 'a',
      'anyhook.agent.name': 'claude',
      'anyhook.agent.version': '2.1',
      'anyhook.tool.name': 'shell',
      'anyhook.verdict': 'deny',
      'anyhook.reasons': ['guard: not here'],
      'anyhook.policy.version': 3,
      'anyhook.record.machine': 'm1',
      'anyhook.record.user': 'ann',
      'anyhook.journal.file': 'a.jsonl',
    },
    dropped_attributes_count: 0,
    flags: 1,
    trace_id: TRACE.id,
    span_id: TRACE.span,
  });
  expect(head?.attributes).toEqual({ 'anyhook.journal.file': 'a.head', 'anyhook.journal.offset': 0 });
  expect(collector.taken[0]?.headers).toMatchObject({
    authorization: 'Bearer x',
    'content-encoding': 'gzip',
  });
  const [{ resource } = {}] = collector.taken[0]!.body['resource_logs'] as { resource?: unknown }[];
  expect(resource).toMatchObject({
    attributes: {
      'service.name': 'anyhook',
      'service.instance.id': 'ann@m1',
      'anyhook.machine': 'm1',
      'anyhook.user': 'ann',
    },
  });
});

test('a fire is a span below the agent span, and a hook is a span below it with the id that the hook received', async () => {
  write(FIRE);
  await ship();
  const spans = unwrapped(collector.taken, 'traces');
  expect(
    spans.map(
      ({ name, trace_id, span_id, parent_span_id, start_time_unix_nano, end_time_unix_nano, status }) => ({
        name,
        trace_id,
        span_id,
        parent_span_id,
        from: start_time_unix_nano,
        to: end_time_unix_nano,
        status,
      }),
    ),
  ).toEqual([
    {
      name: 'hooks tool.before',
      trace_id: TRACE.id,
      span_id: TRACE.span,
      parent_span_id: TRACE.parent,
      from: END_NS - 5e8,
      to: END_NS,
      status: { message: '', code: 0 },
    },
    {
      name: 'hook guard',
      trace_id: TRACE.id,
      span_id: hookSpanOf(TRACE, 'guard', 1),
      parent_span_id: TRACE.span,
      from: END_NS - 5e8,
      to: END_NS - 2.5e8,
      status: { message: '', code: 0 },
    },
    {
      name: 'hook slow',
      trace_id: TRACE.id,
      span_id: hookSpanOf(TRACE, 'slow', 1),
      parent_span_id: TRACE.span,
      from: END_NS - 5e8,
      to: END_NS,
      status: { message: 'timed-out: after 500 ms', code: 2 },
    },
  ]);
  expect(spans[2]?.attributes).toEqual({
    'anyhook.hook.id': 'slow',
    'anyhook.hook.round': 1,
    'anyhook.hook.failed_open': true,
    'error.type': 'timed-out',
  });
});

test('a session without a trace gets one trace', async () => {
  write(...many(2));
  await ship();
  const spans = unwrapped(collector.taken, 'traces');
  expect(new Set(spans.map(({ trace_id }) => trace_id)).size).toBe(1);
  expect(spans.map(({ span_id }) => span_id)).toEqual(ground.hashes().map((hash) => hash.slice(0, 16)));
  expect(spans.map(({ parent_span_id }) => parent_span_id)).toEqual([undefined, undefined]);
});

const points = (name: string) => {
  const metric = unwrapped(collector.taken, 'metrics').findLast((one) => one['name'] === name);
  const { data_points = [] } = (metric?.['sum'] ?? metric?.['histogram'] ?? {}) as {
    data_points?: Record<string, unknown>[];
  };
  return data_points.map(({ attributes, as_int, count, sum }) => ({ attributes, as_int, count, sum }));
};

test('verdicts, failures and times are counted', async () => {
  write(FIRE, ...many(3));
  await ship();
  const by = { 'anyhook.event': 'tool.before', 'anyhook.agent.name': 'claude' };
  const read = (name: string) => points(name).map(({ attributes, ...rest }) => [attributes, rest]);
  expect(
    Object.fromEntries(
      ['fires', 'fire.duration', 'hook.failures'].map((name) => [name, read(`anyhook.${name}`)]),
    ),
  ).toMatchObject({
    fires: [
      [{ ...by, 'anyhook.verdict': 'deny' }, { as_int: 1 }],
      [{ ...by, 'anyhook.verdict': 'none' }, { as_int: 3 }],
    ],
    'fire.duration': [[by, { count: 4, sum: expect.closeTo(0.5045) }]],
    'hook.failures': [
      [
        { 'anyhook.hook.id': 'slow', 'error.type': 'timed-out', 'anyhook.hook.failed_open': true },
        { as_int: 1 },
      ],
    ],
  });
});

test('a chunk that was sent but not recorded before a kill arrives twice with the same hash and counts once', async () => {
  write(...many(3));
  await ship();
  write(...many(5));
  const [kept, copy] = [join(ground.folder, '.shipped'), join(ground.root, 'as-killed')];
  const killed = new AbortController();
  const onSent = () => {
    cpSync(kept, copy, { recursive: true });
    killed.abort();
  };
  await ship({ signal: killed.signal }, onSent);
  rmSync(kept, { recursive: true });
  cpSync(copy, kept, { recursive: true });
  await ship();
  expect([...new Set(hashes())]).toEqual(ground.hashes());
  expect(hashes()).toHaveLength(8 + 5);
  expect(points('anyhook.fires').map(({ as_int }) => as_int)).toEqual([8]);
});

test.each([
  ['429', '429', (_: unknown, response) => response.writeHead(429, { 'retry-after': '2' }).end(), 2000],
  ['500', '500', (_: unknown, response) => response.writeHead(500).end('broken'), 0],
  ['nothing', 'no answer within 0.5 s', () => undefined, 0],
  ['by hanging up', 'socket hang up', (_: unknown, response) => response.destroy(), 0],
] satisfies [string, string, (message: unknown, response: ServerResponse) => unknown, number][])(
  'a collector that answers %s is asked again, and nothing is lost',
  async (_, why, answer, waitMs) => {
    write(...many(20));
    let refused = 0;
    collector.misbehave = (message, response) => {
      if (refused === 2) return false;
      refused++;
      answer(message, response);
      return true;
    };
    const said = await ship({ timeoutMs: 500 });
    expect(hashes()).toEqual(ground.hashes());
    expect(said).toEqual([
      expect.stringMatching(
        new RegExp(`^the collector at it: logs: .*${why}.* The journal keeps what waits\\.$`),
      ),
      'the collector at it: logs are taken again.',
    ]);
    const [first, second] = collector.came;
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(waitMs);
  },
);

test('an unreachable collector only delays records, which are sent when it returns', async () => {
  write(...many(5));
  const gone = new AbortController();
  const said: string[] = [];
  const endpoint = 'http://127.0.0.1:9';
  const waiting = ship({
    endpoint,
    signal: gone.signal,
    say: (message) => (said.push(message), gone.abort()),
  });
  await waiting;
  expect(said).toEqual([
    expect.stringMatching(/^the collector at http:\/\/127\.0\.0\.1:9: logs: .*ECONNREFUSED/),
  ]);
  await ship();
  expect(hashes()).toEqual(ground.hashes());
});

test('a record that is too large for the collector is truncated, and the log and a warning say so', async () => {
  const words = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`w${at}`, 'y'.repeat(1000)]));
  write(draft('a', 1), { ...draft('a', 2), before: words }, draft('a', 3));
  collector.misbehave = ({ bytes }, response) => {
    if (bytes <= 16_384) return false;
    response.writeHead(413).end();
    return true;
  };
  expect(await ship()).toEqual([
    'a.jsonl: a record is larger than the collector at it takes: it is cut, and says so.',
  ]);
  expect(hashes()).toEqual(ground.hashes());
  expect(
    unwrapped(collector.taken, 'logs')
      .slice(0, 3)
      .map(({ attributes, body }) => [attributes['anyhook.record.cut'], (body as string).length > 1024]),
  ).toEqual([
    [undefined, false],
    [true, false],
    [undefined, false],
  ]);
});

test('a collector that accepts only logs gets logs, and one warning mentions the rest', async () => {
  write(...many(3));
  collector.misbehave = ({ signal }, response) => {
    if (signal === 'logs') return false;
    response.writeHead(404).end();
    return true;
  };
  expect(await ship()).toEqual([
    'the collector at it does not take traces (it answers 404); the records go out without them.',
    'the collector at it does not take metrics (it answers 404); the records go out without them.',
  ]);
  expect(hashes()).toEqual(ground.hashes());
});

test('records that the collector accepted and dropped are reported', async () => {
  write(...many(3));
  collector.misbehave = ({ signal }, response) => {
    if (signal !== 'logs') return false;
    // ExportLogsServiceResponse { partial_success { rejected_log_records: 2, error_message: "full" } }
    response.writeHead(200).end(Buffer.from([0x0a, 0x08, 0x08, 0x02, 0x12, 0x04, ...Buffer.from('full')]));
    return true;
  };
  expect(await ship()).toContain('the collector at it took logs and refused 2 of them: full.');
});
