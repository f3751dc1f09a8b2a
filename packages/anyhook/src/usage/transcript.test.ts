import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usageReader } from '../agents/claude-code/usage.ts';
import { usageReader as codexReader } from '../agents/codex/usage.ts';
import type { UsageSource } from '../agents/shared/usage/source.ts';
import { locationsOf } from '../gather/folders.ts';
import { removeTree } from '../settings/remove-tree.ts';
import { SessionUsage } from './session-usage.ts';
import { STEP_BYTES, Transcript } from './transcript.ts';

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'usage-'));
  file = join(root, 'session.jsonl');
});
afterEach(() => removeTree(root));

let ids = 0;
const request = (input: number, output: number, id = `m${++ids}`): string =>
  `${JSON.stringify({ type: 'assistant', message: { id, usage: { input_tokens: input, output_tokens: output } } })}\n`;
const filler = (bytes: number): string => `${JSON.stringify({ type: 'user', text: 'x'.repeat(bytes) })}\n`;
const open = (): Transcript => new Transcript(file, usageReader);
const totals = (transcript: Transcript) => transcript.usage.session;
const sum = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

describe('a transcript that grows', () => {
  test('adds what was appended since the last event', () => {
    writeFileSync(file, request(10, 1));
    const transcript = open();
    transcript.read();
    expect(totals(transcript)).toEqual(sum(10, 1));
    appendFileSync(file, request(20, 2));
    transcript.read();
    expect(totals(transcript)).toEqual(sum(30, 3));
    transcript.read();
    expect(totals(transcript)).toEqual(sum(30, 3));
  });

  test('waits for the end of a line that is being written', () => {
    const line = request(10, 1);
    writeFileSync(file, line.slice(0, 30));
    const transcript = open();
    transcript.read();
    expect(transcript.usage).toEqual({});
    appendFileSync(file, line.slice(30));
    transcript.read();
    expect(totals(transcript)).toEqual(sum(10, 1));
  });

  test('a request that is stated in several lines counts once, with its last figures', () => {
    writeFileSync(file, request(10, 1, 'm') + request(10, 7, 'm') + request(5, 1, 'n'));
    const transcript = open();
    transcript.read();
    expect(totals(transcript)).toEqual(sum(15, 8));
  });

  test('skips damaged lines, foreign lines, and figures that are not numbers', () => {
    const odd = [
      '{"usage":{ broken',
      '"usage":{}',
      '[{"usage":{}}]',
      '{"type":"assistant","message":{"usage":{"input_tokens":-1,"output_tokens":1e999}}}',
      '{"type":"assistant","message":{"usage":{"input_tokens":"9","output_tokens":9}}}',
      '\u0000"usage":{',
    ];
    writeFileSync(file, `${odd.join('\n')}\n${request(10, 1)}`);
    const transcript = open();
    transcript.read();
    expect(transcript.usage).toMatchObject({ session: sum(10, 1) });
    expect(transcript.usage.fault).toBeUndefined();
  });

  test('a line that is longer than one step is skipped, and the lines after it count', () => {
    writeFileSync(file, request(10, 1) + filler(3 * STEP_BYTES) + request(20, 2));
    const transcript = open();
    for (let step = 0; step < 6; step++) transcript.read();
    expect(totals(transcript)).toEqual(sum(30, 3));
  });
});

describe('a transcript that is not what it was', () => {
  test('a shortened and continued transcript is read again, and its totals never fall', () => {
    writeFileSync(file, request(100, 10) + request(100, 10));
    const transcript = open();
    transcript.read();
    truncateSync(file, 0);
    appendFileSync(file, request(30, 30));
    transcript.read();
    expect(totals(transcript)).toEqual(sum(200, 30));
  });

  test('a transcript that was replaced by another file of the same length is read again', () => {
    writeFileSync(file, request(100, 10, 'aa'));
    const transcript = open();
    transcript.read();
    writeFileSync(`${file}.new`, request(900, 10, 'bb'));
    renameSync(`${file}.new`, file);
    transcript.read();
    expect(totals(transcript)).toEqual(sum(900, 10));
  });

  test('a transcript that was overwritten in place is read again', () => {
    writeFileSync(file, request(100, 10, 'aa'));
    const transcript = open();
    transcript.read();
    writeFileSync(file, request(900, 10, 'bb'));
    transcript.read();
    expect(totals(transcript)).toEqual(sum(900, 10));
  });

  test('a missing transcript is a fault', () => {
    const transcript = open();
    transcript.read();
    expect(transcript.usage.fault).toContain('there is no transcript');
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe in place of the transcript is a fault and does not block',
    () => {
      execFileSync('mkfifo', [file]);
      const transcript = open();
      transcript.read();
      expect(transcript.usage.fault).toContain('is not a regular file');
    },
  );

  test('a folder in place of the transcript is a fault', () => {
    const transcript = new Transcript(root, usageReader);
    transcript.read();
    expect(transcript.usage.fault).toBeDefined();
  });
});

const source = (reader: typeof usageReader): UsageSource => ({
  from: 'transcript',
  figures: ['tokens'],
  reader: async () => reader,
});
const usageOf = (usage: SessionUsage, reader = usageReader) =>
  usage.of(
    source(reader),
    { ids: { session: 's' }, scene: { cwd: root, transcript: file } },
    { where: locationsOf({ cwd: root }), folder: join(root, 'state') },
  );

describe('a long transcript', () => {
  const LINES = 40;
  const writeLong = () =>
    writeFileSync(
      file,
      Array.from({ length: LINES }, () => filler(STEP_BYTES / 2) + request(10, 1)).join('') +
        request(7, 3, 'z'),
    );

  test('shows the last request at once, marks its totals as partial, and completes them between events', async () => {
    writeLong();
    const usage = new SessionUsage();
    const first = await usageOf(usage);
    expect(first).toMatchObject({ last: sum(7, 3), contextTokens: 10, session: { isPartial: true } });
    expect(first!.session!.inputTokens).toBeLessThan(LINES * 10);
    await expect
      .poll(async () => (await usageOf(usage))?.session, { timeout: 20_000 })
      .toEqual(sum(LINES * 10 + 7, LINES + 3));
  });

  test('another process continues where the last one stopped', async () => {
    writeLong();
    let reads = 0;
    let last: Awaited<ReturnType<typeof usageOf>>;
    do last = await usageOf(new SessionUsage());
    while (last?.session?.isPartial === true && ++reads < 100);
    expect(last?.session).toEqual(sum(LINES * 10 + 7, LINES + 3));
    expect(reads).toBeGreaterThan(10); // otherwise one event has read everything
  });

  test('a damaged note of another process is ignored', async () => {
    writeFileSync(file, filler(STEP_BYTES / 2) + request(10, 1));
    await usageOf(new SessionUsage());
    const [name] = execFileSync('ls', [join(root, 'state')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    for (const text of [
      '',
      '{',
      '{"offset":-1}',
      '{"offset":-5,"inode":0,"anchor":"","tally":{}}',
      '{"offset":"x","inode":0,"anchor":"","tally":{}}',
      '{"offset":1e99,"inode":1,"anchor":"","tally":{}}',
      '[]',
    ]) {
      writeFileSync(join(root, 'state', name!), text, { mode: 0o600 });
      expect((await usageOf(new SessionUsage()))?.session).toEqual(sum(10, 1));
    }
  });

  test('the end is enough if each statement covers the whole session', async () => {
    const total = (input: number) =>
      `${JSON.stringify({ type: 'token_usage_record', payload: { usage: { input_tokens: 10, output_tokens: 1 }, thread_token_usage: { input_tokens: input, output_tokens: 5 } } })}\n`;
    writeFileSync(
      file,
      Array.from({ length: LINES }, (_, at) => filler(STEP_BYTES / 2) + total(at)).join(''),
    );
    expect(await usageOf(new SessionUsage(), codexReader)).toMatchObject({ session: sum(LINES - 1, 5) });
    expect((await usageOf(new SessionUsage(), codexReader))?.session?.isPartial).toBeUndefined();
  });
});

test('requests of subagents count for the session, and are not its last request', async () => {
  const subagents = join(root, 'session', 'subagents');
  execFileSync('mkdir', ['-p', subagents]);
  writeFileSync(file, request(10, 1));
  writeFileSync(join(subagents, 'agent-1.jsonl'), request(500, 50));
  writeFileSync(join(subagents, 'notes.jsonl'), request(900, 90));
  expect(await usageOf(new SessionUsage())).toEqual({
    session: sum(510, 51),
    last: sum(10, 1),
    contextTokens: 11,
  });
});
