import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DISK } from './append-file.ts';
import { SessionStore } from './store.ts';
import { sessionView } from './view.ts';

let folder: string;
let said: string[];
let store: SessionStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anyhook-session-'));
  said = [];
  store = new SessionStore({ folder, cwd: '/some/project', warn: (text) => said.push(text) });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const user = (content: string) => ({ role: 'user' as const, content, timestamp: 1 });
const assistant = (text: string) => ({
  role: 'assistant' as const,
  content: [{ type: 'text' as const, text }],
  timestamp: 2,
});
const texts = (session: { messages(): readonly unknown[] }) =>
  session
    .messages()
    .map((message) => JSON.stringify(message).match(/"(?:content|text|summary)":"([^"]*)"/)?.[1]);

describe('a session', () => {
  test('a session without messages creates no file', () => {
    const session = store.create();
    session.close();
    expect(existsSync(session.file)).toBe(false);
  });

  test('a reopened session is unchanged and is the latest of its folder', () => {
    const session = store.create();
    session.say(user('hello'));
    session.say(assistant('hi'));
    session.close();
    const again = store.latest()!;
    expect(again.entries).toEqual(session.entries);
    expect(again.header).toEqual({
      type: 'session',
      version: 1,
      id: session.id,
      cwd: '/some/project',
      timestamp: expect.any(String),
    });
    expect(store.list()).toEqual([expect.objectContaining({ id: session.id, about: 'hello' })]);
    expect(new SessionStore({ folder, cwd: '/other', warn() {} }).latest()).toBeUndefined();
  });

  test('a session continues from any entry, and other branches stay in the tree', () => {
    const session = store.create();
    const first = session.say(user('first'));
    session.say(assistant('left behind'));
    session.moveTo(first.id);
    session.say(assistant('other answer'));
    expect(texts(session)).toEqual(['first', 'other answer']);
    expect(session.entries).toHaveLength(3);
    const [root] = sessionView(() => session).getTree();
    expect(root!.children.map(({ entry }) => entry.parentId)).toEqual([first.id, first.id]);
    expect(() => session.moveTo('nowhere')).toThrow('the session has no entry nowhere');
  });

  test('a branch has its own file that names its origin', () => {
    const session = store.create();
    const first = session.say(user('first'));
    session.say(assistant('answer'));
    const branch = store.branch(session, first.id);
    expect(branch.header.parentSession).toBe(session.file);
    expect(texts(store.open(branch.file))).toEqual(['first']);
  });

  test('a compacted session shows the model the summary and the kept messages', () => {
    const session = store.create();
    session.say(user('old'));
    const kept = session.say(user('kept'));
    session.append({
      type: 'compaction',
      summary: 'the old things',
      firstKeptEntryId: kept.id,
      tokensBefore: 9,
    });
    session.say(assistant('new'));
    expect(texts(session)).toEqual(['the old things', 'kept', 'new']);
    session.append({ type: 'compaction', summary: 'everything', firstKeptEntryId: '', tokensBefore: 9 });
    expect(texts(session)).toEqual(['everything']);
  });
});

describe('what a crash leaves', () => {
  test('a torn last line is set aside and reported, and everything before it is kept', () => {
    const session = store.create();
    session.say(user('hello'));
    session.close();
    appendFileSync(session.file, '{"type":"message","id":"torn","par');
    const again = store.open(session.file);
    expect(texts(again)).toEqual(['hello']);
    expect(said).toEqual([expect.stringContaining(`${session.file}:3: the last line was cut off`)]);
    expect(readFileSync(`${session.file}.torn`, 'utf8')).toBe('{"type":"message","id":"torn","par');
    again.say(user('goes on'));
    again.close();
    expect(texts(store.open(session.file))).toEqual(['hello', 'goes on']);
  });

  test('a program killed during a write loses at most its last line', async () => {
    const code = `
      import { SessionStore } from ${JSON.stringify(join(import.meta.dirname, 'store.ts'))};
      const session = new SessionStore({ folder: ${JSON.stringify(folder)}, cwd: '/some/project', warn() {} }).create();
      for (let n = 0; ; n++) { session.say({ role: 'user', content: 'x'.repeat(20000) + n, timestamp: n }); process.stdout.write(n + '\\n'); }`;
    const program = join(folder, 'writes.ts');
    writeFileSync(program, code);
    const child = spawn(process.execPath, ['--import', import.meta.resolve('jiti/register'), program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.split('\n').length > 20) child.kill('SIGKILL');
    });
    await once(child, 'close');
    expect(printed).not.toBe('');
    const last = Number(printed.trim().split('\n').at(-1));
    const again = store.latest()!;
    expect(again.entries.length).toBeGreaterThan(last);
  });

  test('a damaged line in the middle is skipped and reported, and its children stay in the tree', () => {
    const session = store.create();
    for (const text of ['one', 'two', 'three']) session.say(user(text));
    session.close();
    const lines = readFileSync(session.file, 'utf8').split('\n');
    lines[2] = '{"broken';
    writeFileSync(session.file, lines.join('\n'));
    expect(texts(store.open(session.file))).toEqual(['one', 'three']);
    expect(said[0]).toContain(`${session.file}:3: is not JSON`);
  });

  test.each([
    ['', ':1: is not a session: it is empty'],
    ['{"type":"cat"}\n', ':1: the first line is not a session header'],
    ['{"type":"session","version":9,"id":"x","cwd":"/"}\n', ':1: was written in version 9'],
    ['not json\n', ':1: is not JSON'],
  ])('an invalid session file (%j) is reported with file and line', (text, why) => {
    const file = join(folder, 'none.jsonl');
    writeFileSync(file, text);
    expect(() => store.open(file)).toThrow(`${file}${why}`);
  });

  test('a missing session file is reported', () => {
    expect(() => store.open(join(folder, 'gone.jsonl'))).toThrow('there is no such file');
  });
});

describe('a full disk', () => {
  test('a full disk keeps the session in memory with one warning, and writes everything once there is space', () => {
    let isFull = false;
    const disk = {
      ...DISK,
      write(fd: number, bytes: Uint8Array, offset: number) {
        if (!isFull) return DISK.write(fd, bytes, offset);
        DISK.write(fd, bytes.subarray(offset, offset + 5), 0); // A part of the line fits.
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      },
    };
    const full = new SessionStore({
      folder,
      cwd: '/some/project',
      warn: (text) => said.push(text),
      disk,
    }).create();
    full.say(user('before'));
    isFull = true;
    full.say(user('lost?'));
    full.say(user('and this?'));
    expect(full.isSaved).toBe(false);
    expect(texts(full)).toEqual(['before', 'lost?', 'and this?']);
    expect(said).toEqual([
      expect.stringMatching(/the disk is full: make room\. The session goes on in memory/),
    ]);
    // The partial line was removed: the file ends with a whole line. (Reopening would repair the file and hide a failure.)
    expect(readFileSync(full.file, 'utf8')).toMatch(/"before".*\n$/);
    isFull = false;
    full.say(assistant('after'));
    expect(said.at(-1)).toContain('nothing of the session was lost');
    expect(texts(store.open(full.file))).toEqual(['before', 'lost?', 'and this?', 'after']);
  });

  test('a read-only session folder is reported', () => {
    writeFileSync(join(folder, 'file'), '');
    const nowhere = new SessionStore({
      folder: join(folder, 'file'),
      cwd: '/p',
      warn: (text) => said.push(text),
    }).create();
    nowhere.say(user('kept'));
    expect(texts(nowhere)).toEqual(['kept']);
    expect(said).toEqual([expect.stringContaining('cannot be written')]);
  });
});
