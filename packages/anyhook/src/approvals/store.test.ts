import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callHash, type Question, type UserAnswer } from './question.ts';
import { ApprovalStore, isHeld } from './store.ts';

const run = promisify(execFile);
const MODULE = join(import.meta.dirname, '../../dist/internals.js');

let folder: string;
let store: ApprovalStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anyhook-approvals-'));
  store = new ApprovalStore(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HASH = 'a'.repeat(64);
const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
const question = (more: Partial<Question> = {}): Question => ({
  hash: HASH,
  nonce: 'n1',
  askedAt: at(0),
  expiresAt: at(60_000),
  agent: 'codex',
  project: '/p',
  folder: '/p',
  session: 's1',
  event: 'tool.before',
  tool: 'shell',
  call: '{"command":"git push"}',
  changed: [],
  reasons: [],
  ...more,
});
const answer = (more: Partial<UserAnswer> = {}): UserAnswer => ({
  hash: HASH,
  kind: 'once',
  answeredAt: at(0),
  where: 'terminal',
  who: 'ana',
  ...more,
});

describe('the store of approvals', () => {
  test('keeps a question for other processes until it is answered', () => {
    store.ask(question());
    expect(new ApprovalStore(folder).list()).toEqual([
      question({ askedAt: expect.any(String), expiresAt: expect.any(String) }),
    ]);
    expect(store.give(answer())).toBe('answered');
    expect(store.list()).toEqual([]);
  });

  test('takes the first of two answers', () => {
    store.ask(question());
    expect(store.give(answer({ kind: 'refuse' }))).toBe('answered');
    expect(store.give(answer({ kind: 'once' }))).toBe('already-answered');
    expect(store.answer(HASH)?.kind).toBe('refuse');
  });

  test('takes no answer to a question that nobody asked', () => {
    expect(store.give(answer())).toBe('no-question');
    store.ask(question());
    expect(store.give(answer({ hash: 'b'.repeat(64) }))).toBe('no-question');
  });

  test('rejects an id that is not a hash, because it becomes a file name', () => {
    expect(() => store.give(answer({ hash: '../../trust/x' }))).toThrow('is not the id of a question');
  });

  test('hands out an approval once, whoever asks for it', () => {
    store.ask(question());
    store.give(answer());
    expect(store.consume(HASH)?.kind).toBe('once');
    expect(store.consume(HASH)).toBeUndefined();
    expect(store.question(HASH)).toBeUndefined();
  });

  test('hands out an approval to one of several processes', async () => {
    store.ask(question());
    store.give(answer());
    const script = `const { ApprovalStore } = await import(${JSON.stringify(MODULE)});
      process.stdout.write(String(new ApprovalStore(${JSON.stringify(folder)}).consume('${HASH}')?.kind));`;
    const outputs = await Promise.all(
      Array.from({ length: 6 }, () => run(process.execPath, ['--input-type=module', '-e', script])),
    );
    expect(outputs.map(({ stdout }) => stdout).toSorted()).toEqual(['once', ...Array(5).fill('undefined')]);
  });

  test('forgets an expired question together with its answer', () => {
    store.ask(question({ expiresAt: at(-1) }));
    expect([store.question(HASH), store.list(), store.give(answer())]).toEqual([
      undefined,
      [],
      'no-question',
    ]);
    expect(readdirSync(join(folder, 'open'))).toEqual([]);
  });

  test('does not count an answer or a question from the future, as after a clock that was set back', () => {
    store.ask(question());
    store.give(answer({ answeredAt: at(10 * 60_000) }));
    expect(store.answer(HASH)).toBeUndefined();
    store.ask(question({ askedAt: at(10 * 60_000), expiresAt: at(20 * 60_000) }));
    expect(store.question(HASH)).toBeUndefined();
  });

  test('ignores damaged files and files that others can write', () => {
    store.ask(question());
    const file = join(folder, 'open', `${HASH}.json`);
    const text = readFileSync(file);
    writeFileSync(file, text.subarray(0, 40));
    expect(store.question(HASH)).toBeUndefined();
    writeFileSync(file, text);
    expect(store.question(HASH)?.hash).toBe(HASH);
    if (process.platform === 'win32') return;
    chmodSync(file, 0o666);
    expect(store.question(HASH)).toBeUndefined();
  });

  test('ignores an answer that was copied from another question', () => {
    store.ask(question());
    store.ask(question({ hash: 'b'.repeat(64) }));
    store.give(answer({ hash: 'b'.repeat(64) }));
    const answers = join(folder, 'answers');
    writeFileSync(join(answers, `${HASH}.json`), readFileSync(join(answers, `${'b'.repeat(64)}.json`)), {
      mode: 0o600,
    });
    expect([store.answer(HASH), store.consume(HASH)]).toEqual([undefined, undefined]);
  });

  test('withdraws the questions of a session that ended, and of an agent that was killed', async () => {
    store.ask(question());
    store.ask(question({ hash: 'b'.repeat(64), session: 's2' }));
    store.withdrawSession('codex', 's1');
    expect(store.list().map(({ session }) => session)).toEqual(['s2']);
    const { pid } = await run(process.execPath, ['-e', 'console.log(process.pid)']).then(({ stdout }) => ({
      pid: Number(stdout),
    }));
    store.ask(question({ agentPid: pid }));
    expect(store.list().map(({ session }) => session)).toEqual(['s2']);
  });

  test('lists 500 open questions in the order in which they were asked, and has room for 1000', () => {
    const hashOf = (n: number) => n.toString(16).padStart(64, '0');
    for (let n = 0; n < 500; n++) store.ask(question({ hash: hashOf(n), askedAt: at(n - 1000) }));
    expect(store.list().map(({ hash }) => hash)).toEqual(Array.from({ length: 500 }, (_, n) => hashOf(n)));
    for (let n = 500; n < 1000; n++) store.ask(question({ hash: hashOf(n) }));
    expect(store.ask(question())).toBe('1000 questions are open already');
  });

  test('knows whether the agent waits, and whether somebody watches', () => {
    expect(isHeld(question({ heldUntil: at(1000), heldBy: process.pid }))).toBe(true);
    expect(isHeld(question({ heldUntil: at(-1), heldBy: process.pid }))).toBe(false);
    expect(isHeld(question({ heldUntil: at(1000) }))).toBe(true); // of another machine
    expect(isHeld(question())).toBe(false);
    expect(store.isWatched).toBe(false);
    const stop = store.watch();
    expect(store.isWatched).toBe(true);
    stop();
    expect(store.isWatched).toBe(false);
  });
});

describe('the hash of a call', () => {
  const call = {
    event: 'tool.before',
    payload: { tool: 'shell', input: { command: 'git push', timeout: 5 } },
    agent: 'codex',
    session: 's1',
    project: '/p',
    folder: '/p',
    askers: ['a', 'b'],
  };
  test('does not depend on the order of keys or hooks', () => {
    const same = {
      ...call,
      payload: { input: { timeout: 5, command: 'git push' }, tool: 'shell' },
      askers: ['b', 'a'],
    };
    expect(callHash(same)).toBe(callHash(call));
  });
  test.each([
    ['event', { event: 'tool.permission' }],
    ['input', { payload: { tool: 'shell', input: { command: 'git push ', timeout: 5 } } }],
    ['tool', { payload: { tool: 'shell2', input: { command: 'git push', timeout: 5 } } }],
    ['agent', { agent: 'goose' }],
    ['session', { session: 's2' }],
    ['project', { project: '/q' }],
    ['folder', { folder: '/p/x' }],
    ['asking hooks', { askers: ['a'] }],
  ])('changes with the %s', (_, other) => {
    expect(callHash({ ...call, ...other })).not.toBe(callHash(call));
  });
});
