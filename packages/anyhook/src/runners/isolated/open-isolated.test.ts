import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { deepTest } from '../../../test/deep.ts';
import type { Fields } from '../../events/effects.ts';
import type { Event } from '../../events/event.ts';
import type { Limit, Reply } from '../../events/exchange.ts';
import type { Services } from '../../events/services.ts';
import { type IsolatedModuleHandle, type IsolatedOptions, openIsolated } from './open-isolated.ts';

const room = mkdtempSync(join(tmpdir(), 'anyhook-isolated-'));
const opened: IsolatedModuleHandle[] = [];
afterEach(() => opened.splice(0).forEach((module) => module.close()));
afterAll(() => rmSync(room, { recursive: true, force: true }));

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const fixture = (name: string) => path(`./fixtures/${name}`);
const alias = { anyhook: path('../module/fixtures/entry.ts') };
const never = new AbortController().signal;
const within = (timeoutMs: number): Limit => ({ timeoutMs, signal: never });
const before = (tool: string, input: Fields = {}): Event<'tool.before'> =>
  Object.freeze({
    name: 'tool.before',
    payload: { tool, input },
    ids: { session: 's' },
    scene: { cwd: '/' },
    round: 1,
  });

async function open(name: string, options: IsolatedOptions = {}): Promise<IsolatedModuleHandle> {
  const module = await openIsolated(name.includes('/') ? name : fixture(name), { alias, ...options });
  if (!module.ok) throw new Error(module.problem.message);
  opened.push(module);
  return module;
}
const kindOf = (reply: Reply) => (reply.kind === 'broken' ? reply.why.kind : reply.kind);
const detailOf = (reply: Reply) => (reply.kind === 'broken' ? reply.why.detail : undefined);
const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
async function until(holds: () => boolean, ms = 15_000): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((wake) => setTimeout(wake, 20)))
    if (holds()) return true;
  return holds();
}

describe('a module in its own process', () => {
  test('describes its definitions without code, and runs each hook', async () => {
    const module = await open('well-behaved.ts');
    expect(module.definitions).toEqual([
      {
        export: 'default',
        line: 4,
        on: 'tool.before',
        match: 'shell',
        name: 'no-rm',
        roles: ['guard'],
        timeoutMs: 5000,
        onFailure: 'block',
      },
      { export: 'tidy', line: 17, on: 'tool.before' },
    ]);
    expect(module.problems).toEqual([]);
    expect(await module.run(0, before('shell', { command: 'rm -rf /' }), within(20_000))).toEqual({
      kind: 'returned',
      value: { kind: 'deny', reason: 'rm -rf / is not for you' },
      args: [],
    });
    expect(await module.run(0, before('shell', { command: 'ls' }), within(20_000))).toEqual({
      kind: 'returned',
      args: [],
    });
    expect(await module.run(1, before('shell', { command: ' ls ' }), within(20_000))).toEqual({
      kind: 'returned',
      value: [{ kind: 'set', at: ['input', 'command'], to: 'ls' }],
      args: [],
    });
  });

  test('cannot modify the event that it receives', async () => {
    const module = await open('writes-to-its-event.mjs');
    expect(await module.run(0, before('shell', { command: 'ls' }), within(20_000))).toMatchObject({
      kind: 'threw',
      message: expect.stringContaining('read only') as string,
    });
  });

  test('reports what cannot be sent and what is invalid, and keeps the rest', async () => {
    const module = await open('uncopyable.mjs');
    expect(module.definitions).toEqual([{ export: 'sound', line: 5, on: 'tool.before' }]);
    expect(module.problems.map(({ key, line, code, remedy }) => ({ key, line, code, remedy }))).toEqual([
      { key: 'default.match', line: 4, code: 'wrong-type', remedy: 'Use plain values.' },
      { key: 'slip.on', line: 6, code: 'unknown-event', remedy: "Did you mean 'tool.before'?" },
    ]);
    expect(module.unsound.map((lost) => lost.export)).toEqual(['default']);
    expect(await module.run(0, before('x'), within(20_000))).toEqual({ kind: 'returned', args: [] });
  });

  test('answers that are not data are unreadable with a reason', async () => {
    const module = await open('answers-code.mjs');
    const details = [];
    for (const tool of ['code', 'cycle', 'big', 'map'])
      details.push(detailOf(await module.run(0, before(tool), within(20_000))));
    expect(details).toEqual([
      "the answer cannot be sent to the host: 'to' is function",
      expect.stringContaining('circular') as string,
      "the answer cannot be sent to the host: 'text' is bigint",
      "the answer cannot be sent to the host: 'value' is a Map",
    ]);
  });

  test('throwing null is a throw', async () => {
    const module = await open('throws-null.mjs');
    expect(await module.run(0, before('x'), within(20_000))).toEqual({
      kind: 'threw',
      message: 'threw null',
      args: [],
    });
  });
});

describe('a hostile module ends only its own process', () => {
  test('a module that spins is killed at its deadline, and the next event gets a new process', async () => {
    const module = await open('spins.ts');
    expect(await module.run(0, before('shell'), within(500))).toEqual({
      kind: 'broken',
      why: { kind: 'timed-out' },
    });
    expect(await module.run(0, before('read'), within(20_000))).toMatchObject({ value: { text: 'quick' } });
  });

  test('a call that had not started when its process was killed runs in the new one', async () => {
    const module = await open('spins.ts');
    const spinning = module.run(0, before('shell'), within(1_000));
    const waiting = module.run(0, before('read'), within(20_000));
    expect(kindOf(await spinning)).toBe('timed-out');
    expect(await waiting).toMatchObject({ kind: 'returned', value: { text: 'quick' } });
  });

  test('time spent waiting for another hook does not count', async () => {
    const module = await open('spins.ts');
    const spinning = module.run(0, before('shell'), within(2_500));
    const waiting = module.run(0, before('read'), within(1_000));
    expect(kindOf(await spinning)).toBe('timed-out');
    expect(kindOf(await waiting)).toBe('returned');
  });

  test('a hook that never resolves times out, even with an invalid deadline', async () => {
    const module = await open('never-resolves.ts');
    expect(kindOf(await module.run(0, before('x'), within(200)))).toBe('timed-out');
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 1_500);
    expect(kindOf(await module.run(0, before('x'), { timeoutMs: Infinity, signal: abort.signal }))).toBe(
      'aborted',
    );
  });

  test.each([
    ['exits.mjs', 'failed', 'exited with code 0'],
    ['kills-itself.mjs', 'killed', 'SIGSEGV'],
    ['crashes-later.mjs', 'failed', 'out of the blue'],
  ])('%s is %s, not silent consent', async (name, kind, detail) => {
    const module = await open(name);
    const reply = await module.run(0, before('x'), within(20_000));
    expect(kindOf(reply)).toBe(kind);
    expect(detailOf(reply)).toContain(detail);
  });

  test('a module that leaks memory is killed, on the heap and outside of it', async () => {
    const module = await open('leaks-memory.mjs', { memoryMb: 64 });
    const heap = await module.run(0, before('x'), within(60_000));
    expect({ kind: kindOf(heap), detail: detailOf(heap) }).toEqual({
      kind: 'killed',
      detail: expect.stringContaining('SIGABRT') as string,
    });
    const beside = await module.run(1, before('x'), within(60_000));
    expect({ kind: kindOf(beside), detail: detailOf(beside) }).toEqual({
      kind: 'killed',
      detail:
        'its process was killed by SIGKILL; its last output: the process uses more than 320 MB of memory',
    });
  }, 120_000);

  test('a lot of output is read; endless output times out, and its end is kept', async () => {
    const module = await open('floods.mjs');
    expect(await module.run(0, before('read'), within(20_000))).toMatchObject({
      value: { text: 'said a lot' },
    });
    const reply = await module.run(0, before('shell'), within(1_000));
    expect(kindOf(reply)).toBe('timed-out');
    expect(reply.kind === 'broken' && reply.stdout?.length).toBe(64 * 1024);
    expect(reply.kind === 'broken' && reply.notes?.truncated?.stdout).toBeGreaterThan(3_000_000 - 64 * 1024);
  });

  test('a module that blocks in execSync is killed with what it started', async () => {
    const module = await open('blocks-in-exec-sync.mjs');
    const pidFile = join(room, 'exec-sync.pid');
    expect(kindOf(await module.run(0, before('x', { pidFile }), within(2_000)))).toBe('timed-out');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(await until(() => !alive(pid))).toBe(true);
  });

  test('a module that writes an invalid message to the host is unreadable', async () => {
    const module = await open('talks-nonsense.mjs');
    for (const line of ['no json at all', 'null', '{"kind":"rumour"}', '{"kind":"answer","id":4,"reply":{}}'])
      expect([line, kindOf(await module.run(0, before('x', { line }), within(20_000)))]).toEqual([
        line,
        'unreadable',
      ]);
  });

  test('an answer after the end of its call is dropped', async () => {
    const module = await open('talks-nonsense.mjs');
    const line = '{"kind":"answer","id":999,"reply":{"kind":"returned","value":{"kind":"allow"},"args":[]}}';
    expect(kindOf(await module.run(0, before('x', { line }), within(500)))).toBe('timed-out');
  });

  test('a module that dies five times in a row is not started again', async () => {
    const module = await open('exits.mjs');
    const replies = [];
    for (let n = 0; n < 6; n++) replies.push(await module.run(0, before('x'), within(20_000)));
    expect(replies.map(kindOf)).toEqual(['failed', 'failed', 'failed', 'failed', 'failed', 'not-started']);
    expect(detailOf(replies[5]!)).toContain('5 times in a row');
  }, 60_000);

  test('a module that dies once answers the next event', async () => {
    const module = await open('dies-once.mjs');
    const input = { mark: join(room, 'died') };
    expect(kindOf(await module.run(0, before('x', input), within(20_000)))).toBe('killed');
    expect(await module.run(0, before('x', input), within(20_000))).toMatchObject({
      value: { text: 'alive' },
    });
  });

  test('a forgotten rejection is logged and ends nothing', async () => {
    const said: string[] = [];
    const module = await open('stray-rejection.mjs', {
      services: { log: (_, message) => said.push(message) },
    });
    expect(await module.run(0, before('x'), within(20_000))).toMatchObject({ value: { text: 'still here' } });
    expect(said).toEqual(['unhandled promise rejection: forgotten']);
  });

  test('a module that changed its hooks on disk is not restarted', async () => {
    const file = join(room, 'changes.mjs');
    const source = (on: string) =>
      `import { defineHook } from 'anyhook'; export default defineHook({ on: '${on}', run: () => process.exit(1) });`;
    writeFileSync(file, source('tool.before'));
    const module = await open(file);
    expect(kindOf(await module.run(0, before('x'), within(20_000)))).toBe('failed');
    writeFileSync(file, source('tool.after'));
    const reply = await module.run(0, before('x'), within(20_000));
    expect(kindOf(reply)).toBe('not-loaded');
    expect(detailOf(reply)).toContain('other hooks than before');
  });
});

describe('a module that does not load', () => {
  test.each([
    ['tla-hangs.mjs', 300, 'did not finish loading within 300 ms'],
    ['spins-at-load.mjs', 300, 'did not finish loading within 300 ms'],
    ['exits-at-load.mjs', 20_000, 'exited with code 0'],
    ['no-such-file.mjs', 20_000, 'cannot be read'],
  ])('%s is a problem, not a hang', async (name, deadlineMs, message) => {
    const loaded = await openIsolated(fixture(name), { alias, deadlineMs });
    expect(loaded).toMatchObject({
      ok: false,
      problem: { file: fixture(name), message: expect.stringContaining(message) as string },
    });
  });
});

describe('the host', () => {
  const services: Services = {
    ui: {
      select: async (_title, options) => options[1],
      confirm: async (title, message) => title === 'Sure?' && message === 'shell',
      input: async () => undefined,
      notify() {},
      custom: async () => 1,
      getEditorText: () => 'draft',
      setEditorText: () => {},
    },
    exec: async (command, args, options) => ({
      stdout: `${command} ${args.join(' ')} in ${options?.cwd} ${options?.signal instanceof AbortSignal}`,
      stderr: '',
      code: 0,
      killed: false,
    }),
    session: { entries: () => [{ id: 1 }], isIdle: () => false },
    judge: async () => Promise.reject(new Error('no model today')),
  };

  test('provides services to the module: synchronous ones as snapshots, code is rejected by name', async () => {
    const log: unknown[] = [];
    const sent: unknown[] = [];
    const module = await open('calls-the-host.ts', {
      services: {
        ...services,
        log: (...line) => log.push(line),
        messages: { send: (...message) => sent.push(message) },
      },
    });
    const reply = await module.run(0, before('shell'), within(20_000));
    const { text } = (reply as { value: { text: string } }).value;
    expect(JSON.parse(text)).toEqual({
      sure: true,
      picked: 'b',
      ran: { stdout: 'echo hi in / true', stderr: '', code: 0, killed: false },
      custom: 'ui.custom takes code, which an isolated module cannot send to its host',
      judged: 'no model today',
      seen: [[{ id: 1 }], false, 'draft'],
      editor: 'written', // although the host still has the draft
    });
    expect(log).toEqual([['info', 'asked', { tool: 'shell' }]]);
    expect(sent).toEqual([[{ text: 'hello' }, { trigger: true }]]);
  });

  test('gets an immediate reply after an abort, and the hook is notified', async () => {
    const module = await open('calls-the-host.ts');
    const abort = new AbortController();
    const reply = module.run(1, before('x'), { timeoutMs: 20_000, signal: abort.signal });
    setTimeout(() => abort.abort(), 100);
    expect(await reply).toEqual({ kind: 'broken', why: { kind: 'aborted' } });
    // The process was not killed for it, because it reacted in time.
    expect(await module.run(1, before('x'), within(300))).toEqual({
      kind: 'broken',
      why: { kind: 'timed-out' },
    });
  });

  test('is not kept alive by a module that it has opened', async () => {
    const args = [fixture('host.mjs'), fixture('well-behaved.ts'), alias.anyhook, 'fire'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 25_000 });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'returned', value: { kind: 'deny' } });
  });

  test.each(['spins.ts', 'blocks-in-exec-sync.mjs'])(
    'killed with -9 leaves nothing of %s behind',
    async (name) => {
      const everyone = await underHost(name, 'fire-and-wait');
      expect(await until(() => !everyone.some(alive))).toBe(true);
    },
    60_000,
  );

  test('control: without the lifeline a busy process outlives a host killed with -9', async () => {
    const [busy = 0] = await underHost('well-behaved.ts', 'bare');
    expect(await until(() => !alive(busy), 1_000)).toBe(false);
    process.kill(busy, 'SIGKILL');
  }, 60_000);
});

/** All processes below a host that was killed with -9 while one of its hooks was busy. */
async function underHost(name: string, mode: string): Promise<number[]> {
  const args = [fixture('host.mjs'), fixture(name), alias.anyhook, mode, join(room, `${name}.pid`)];
  const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((fired) => host.stdout.once('data', fired));
  const children = childrenOf(host.pid!);
  const everyone = children.flatMap((pid) => [pid, ...childrenOf(pid)]);
  expect(everyone.length).toBeGreaterThan(0);
  expect(everyone.every(alive)).toBe(true);
  host.kill('SIGKILL');
  return everyone;
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

deepTest(
  'a module of many files may take longer to compile than it may to load',
  async () => {
    const types = Array.from({ length: 400 }, (_, i) => `export type T${i} = { a: string; b?: T${i} };`);
    const names = Array.from({ length: 120 }, (_, i) => `part-${i}.ts`);
    for (const name of names) writeFileSync(join(room, name), types.join('\n'));
    const file = join(room, 'many.ts');
    const hook = "export default defineHook({ on: 'tool.before', run: () => undefined });";
    const imports = ["import { defineHook } from 'anyhook';", ...names.map((name) => `import './${name}';`)];
    writeFileSync(file, [...imports, hook].join('\n'));
    const started = performance.now();
    const module = await open(file, { deadlineMs: 1_000, kept: join(room, 'kept') });
    expect(module.definitions).toMatchObject([{ on: 'tool.before' }]);
    expect(performance.now() - started).toBeGreaterThan(1_000); // otherwise nothing was tested
  },
  240_000,
);
