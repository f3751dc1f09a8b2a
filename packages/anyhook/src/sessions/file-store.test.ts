import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SessionFiles } from './file-store.ts';
import { MemorySessionStore } from './store.ts';

const BUILT = new URL('../../dist/internals.js', import.meta.url).href;
const run = promisify(execFile);

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'anyhook-sessions-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const open = (host = 'claude-code') => new SessionFiles({ folder, host, ownSession: 'own' });

describe('a session store in files', () => {
  test('returns to another process what was stored, for that session and host only', () => {
    expect(open().update('a', (record) => ({ ...record, announcedActs: 5 }))).toBe(true);
    expect([open().read('a'), open().read('b'), open('codex').read('a')]).toEqual([
      { announcedActs: 5 },
      {},
      {},
    ]);
    expect([open().has('a'), open().has('b')]).toEqual([true, false]);
  });

  test('sees immediately what another process has written', () => {
    const [one, other] = [open(), open()];
    one.update('a', () => ({ announcedActs: 1 }));
    expect(other.read('a')).toEqual({ announcedActs: 1 });
    one.update('a', () => ({ announcedActs: 2 }));
    expect(other.read('a')).toEqual({ announcedActs: 2 });
  });

  test('writes private files, and no file if nothing changed', () => {
    open().update('a', (record) => record);
    expect(readdirSync(folder)).toEqual([]);
    open().update('a', () => ({ announcedActs: 1 }));
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
  });

  test('does not track events without a session', () => {
    expect(['a', '', 'unknown', 'own'].map((session) => open().tracks(session))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('treats a damaged file as missing, and omits fields of the wrong type', () => {
    open().update('a', () => ({ announcedActs: 1 }));
    const file = join(folder, readdirSync(folder)[0]!);
    writeFileSync(file, '{"announcedActs":');
    expect(open().has('a')).toBe(false);
    writeFileSync(file, '{"announcedActs":"5","resumes":{"x":1},"guards":{"g":{}},"other":1}');
    expect(open().read('a')).toEqual({ resumes: { x: 1 } });
  });

  test('ignores a file that other users can write', () => {
    open().update('a', () => ({ announcedActs: 1 }));
    const file = join(folder, readdirSync(folder)[0]!);
    expect(open().has('a')).toBe(true);
    const umask = process.umask(0);
    rmSync(file);
    writeFileSync(file, '{"announcedActs":1}', { mode: 0o666 });
    process.umask(umask);
    expect(open().has('a')).toBe(false);
  });

  test('reports a record that cannot be stored', () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(open().update('a', () => ({ announcedActs: 1 }))).toBe(false);
  });

  test('removes sessions that were not written for 30 days when a new one starts', () => {
    open().update('old', () => ({ announcedActs: 1 }));
    const old = join(folder, readdirSync(folder)[0]!);
    const days = (Date.now() - 31 * 24 * 60 * 60 * 1000) / 1000;
    utimesSync(old, days, days);
    open().update('new', () => ({ announcedActs: 1 }));
    expect([open().has('old'), open().has('new')]).toEqual([false, true]);
  });

  test('takes over the lock of a process that has died', () => {
    open().update('a', () => ({ announcedActs: 1 }));
    const lock = `${join(folder, readdirSync(folder)[0]!)}.lock`;
    writeFileSync(lock, '');
    const past = Date.now() / 1000 - 10;
    utimesSync(lock, past, past);
    expect(open().update('a', () => ({ announcedActs: 2 }))).toBe(true);
    expect(open().read('a')).toEqual({ announcedActs: 2 });
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  test('loses no change that several processes make at once', async () => {
    const count = (name: string) => `
      const { SessionFiles } = await import(${JSON.stringify(BUILT)});
      const store = new SessionFiles({ folder: ${JSON.stringify(folder)}, host: 'h' });
      const add = (id) => store.update('s', (now) => ({ ...now, questions: { ...now.questions, [id]: 1 } }));
      for (let i = 0; i < 50; i++) add(${JSON.stringify(name)} + i);`;
    await Promise.all(
      ['a', 'b', 'c'].map((name) => run(process.execPath, ['--input-type=module', '-e', count(name)])),
    );
    const { questions = {} } = new SessionFiles({ folder, host: 'h' }).read('s');
    expect(Object.keys(questions)).toHaveLength(150);
    expect(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')).toMatch(/^\{.*\}$/);
  });
});

describe('a session store in memory', () => {
  test('drops the session that was written longest ago, but none with open questions', () => {
    const store = new MemorySessionStore();
    store.update('asked', () => ({ questions: { q: 1 } }));
    for (let i = 0; i < 1100; i++) store.update(`s${i}`, () => ({ announcedActs: i }));
    expect([store.has('asked'), store.has('s0'), store.has('s1099')]).toEqual([true, false, true]);
  });
});
