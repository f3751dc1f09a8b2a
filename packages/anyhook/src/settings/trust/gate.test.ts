import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Hook } from '../../events/hook.ts';
import { entryOf } from './entry.ts';
import { cloneOf, command, projectWith, scratch } from './fixtures/scratch.ts';
import { judgeTrust } from './gate.ts';
import type { Project } from './project.ts';
import { recordOf } from './record.ts';
import { openTrustSession } from './session.ts';
import { stagedHook } from './stage.ts';
import { openTrustStore } from './store.ts';

const TERMINAL = { isTerminal: true };
const newStore = () => openTrustStore(join(scratch(), 'trust'));
const trust = (project: Project, line: string, store = newStore()) => {
  const judged = judgeTrust(command(project, line), project, store, TERMINAL);
  store.add(recordOf(judged.trustedFiles, new Date()));
  return store;
};
const state = (project: Project, line: string, store = newStore(), options = {}) =>
  judgeTrust(command(project, line), project, store, { ...TERMINAL, ...options }).state;

describe('a judgement', () => {
  test('a judgement changes from unknown to trusted, to modified with any changed byte, and back to trusted', () => {
    const project = projectWith({ 'g.sh*': 'echo 1\n' });
    expect(state(project, './g.sh')).toBe('unknown');
    const store = trust(project, './g.sh');
    expect(state(project, './g.sh', store)).toBe('trusted');
    writeFileSync(join(project.root, 'g.sh'), 'echo 2\n');
    const judged = judgeTrust(command(project, './g.sh'), project, store, TERMINAL);
    expect([judged.state, judged.diff]).toEqual([
      'modified',
      ['--- g.sh (trusted)', '+++ g.sh (now)', '@@ -1 +1 @@', '-echo 1', '+echo 2'].join('\n'),
    ]);
    writeFileSync(join(project.root, 'g.sh'), 'echo 1\n');
    expect(state(project, './g.sh', store)).toBe('trusted');
  });

  test('a judgement shows the changed field of the entry, new and removed files, and the executable bit', () => {
    const project = projectWith({ 'g.sh*': '. ./l.sh\n', 'l.sh': ':\n' });
    const store = trust(project, './g.sh');
    writeFileSync(join(project.root, 'g.sh'), '. ./n.sh\n');
    writeFileSync(join(project.root, 'n.sh'), 'new\n');
    const judged = judgeTrust(command(project, './g.sh', { matcher: 'Write' }), project, store, TERMINAL);
    expect(judged.diff).toContain('-matcher: "Bash"\n+matcher: "Write"');
    expect(judged.diff).toContain('+++ n.sh (now)\n@@ -0,0 +1 @@\n+new');
    expect(judged.diff).toContain('--- l.sh (trusted)\n+++ l.sh (now)\n@@ -1 +0,0 @@\n-:');
  });

  test('without a terminal only the store or a full hash grants trust', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const entry = command(project, './g.sh');
    const { hash, mayAsk } = judgeTrust(entry, project, newStore(), { isTerminal: false });
    expect(mayAsk).toBe(false);
    const with_ = (hashes: string[]) =>
      judgeTrust(entry, project, newStore(), { isTerminal: false, hashes }).state;
    expect([
      with_([]),
      with_([hash.slice(0, 20)]),
      with_([hash.slice(7)]),
      with_(['*']),
      with_(['']),
      with_([`${hash} `]),
      with_([hash]),
    ]).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'trusted']);
    expect(state(project, './g.sh', trust(project, './g.sh'), { isTerminal: false })).toBe('trusted');
  });

  test('a clone with the same content is trusted, one with other content is not', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const [store, clone] = [trust(project, './g.sh'), cloneOf(project)];
    expect(state(clone, './g.sh', store)).toBe('trusted');
    writeFileSync(join(clone.root, 'g.sh'), 'evil');
    expect(state(clone, './g.sh', store)).toBe('unknown');
  });

  test('a command without files is trusted by its text in one project only, such as `npm run lint`', () => {
    const project = projectWith({});
    const store = trust(project, 'npm run lint');
    expect(state(project, 'npm run lint', store)).toBe('trusted');
    expect(state(project, 'npm run  lint', store)).toBe('modified');
    expect(state(cloneOf(project), 'npm run lint', store)).toBe('unknown');
    const { hash } = judgeTrust(command(project, 'npm run lint'), project, newStore(), TERMINAL);
    expect(state(cloneOf(project), 'npm run lint', newStore(), { hashes: [hash] })).toBe('trusted');
  });

  test('a nested project inherits no trust from its parent', () => {
    const outer = projectWith({ 'g.sh*': ':', 'inner/g.sh*': 'other', 'inner/.git/HEAD': '' });
    const store = trust(outer, './g.sh');
    const inner = projectWith({}, join(outer.root, 'inner'));
    expect([state(inner, './g.sh', store), state(inner, 'sh ../g.sh', store)]).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  test('an unreadable file cannot be trusted, not even by its hash', () => {
    const project = projectWith({ 'big.sh': 'x'.repeat(8 * 1024 * 1024 + 1) });
    const judged = judgeTrust(command(project, 'sh big.sh'), project, newStore(), TERMINAL);
    expect([judged.state, judged.mayAsk]).toEqual(['untrustable', false]);
    expect(state(project, 'sh big.sh', newStore(), { hashes: [judged.hash] })).toBe('untrustable');
  });

  test('a project that contains the trust store cannot be trusted', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const store = openTrustStore(join(project.root, '.config/trust'));
    expect(state(project, './g.sh', store)).toBe('untrustable');
  });
});

describe('a session', () => {
  const open = (project: Project, options = {}) =>
    openTrustSession({ project, store: newStore(), copies: scratch(), ...TERMINAL, ...options });

  test('a session runs nothing untrusted, and after consent exactly the bytes that were shown', () => {
    const project = projectWith({ 'g.sh*': 'echo shown\n' });
    const [session, entry] = [open(project), command(project, './g.sh')];
    expect(session.judge(entry).state).toBe('unknown');
    expect(session.stage(entry).kind).toBe('unstaged');
    writeFileSync(join(project.root, 'g.sh'), 'echo swapped\n');
    expect(session.grant(entry)).toEqual({ kind: 'added' });
    expect(session.judge(entry).state).toBe('trusted');
    const staged = session.stage(entry);
    expect(staged.kind === 'staged' && session.judge(entry).trustedFiles.files[0]?.bytes.toString()).toBe(
      'echo shown\n',
    );
  });

  test('a session ignores 50 changes on disk, and the next session reports them as modified', () => {
    const project = projectWith({ 'g.sh*': 'echo 1\n' });
    const store = newStore();
    const entry = command(project, './g.sh');
    const [first, copies] = [open(project, { store }), scratch()];
    first.judge(entry);
    first.grant(entry);
    const before = first.judge(entry);
    const staged = first.stage(entry);
    for (let i = 0; i < 50; i++) {
      if (i % 2 === 0) writeFileSync(join(project.root, 'g.sh'), `evil ${i}\n`);
      else rmSync(join(project.root, 'g.sh'));
      expect([first.judge(entry), first.stage(entry)]).toEqual([before, staged]);
    }
    writeFileSync(join(project.root, 'g.sh'), 'evil\n', { mode: 0o755 });
    expect(open(project, { store, copies }).judge(entry).state).toBe('modified');
  });

  test('consent without a terminal fails with a remedy', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const [session, entry] = [open(project, { isTerminal: false }), command(project, './g.sh')];
    expect(session.grant(entry)).toMatchObject({
      kind: 'failed',
      problem: { code: 'not-trusted', file: entry.file },
    });
    const named = open(project, { isTerminal: false, hashes: [session.judge(entry).hash] });
    expect([named.grant(entry).kind, named.stage(entry).kind]).toEqual(['added', 'staged']);
  });

  test('consent without a home folder cannot be stored and does not count', () => {
    const project = projectWith({ 'g.sh*': ':' });
    const [session, entry] = [
      open(project, { store: openTrustStore(undefined) }),
      command(project, './g.sh'),
    ];
    expect([session.grant(entry).kind, session.stage(entry).kind]).toEqual(['failed', 'unstaged']);
  });
});

test('a hook becomes an entry and is redirected to its copy', () => {
  const project = projectWith({ 'g.sh*': ':' });
  const hook: Hook = {
    id: 'h',
    dialect: 'claude-code',
    on: 'PreToolUse',
    origin: { layer: 'project', file: join(project.root, 's.json'), line: 1 },
    roles: ['guard'],
    match: { kind: 'pattern', source: 'Bash', test: () => true },
    matcher: 'Bash',
    run: { kind: 'command', run: { line: './g.sh' }, env: 'inherit' },
    background: false,
    shadow: false,
    timeoutMs: 1000,
  };
  const entry = entryOf(hook, project.root);
  const session = openTrustSession({ project, store: newStore(), copies: scratch(), ...TERMINAL });
  session.grant(entry);
  const staged = session.stage(entry);
  if (staged.kind === 'unstaged') throw new Error(staged.why);
  const { run } = stagedHook(hook, staged, project.root);
  expect(run).toEqual({ kind: 'command', run: { line: join(staged.root ?? '', 'g.sh') }, env: 'inherit' });
  const run2 = {
    kind: 'command',
    run: { line: '"$DIR"/g.sh' },
    env: [],
    set: { DIR: project.root },
  } as const;
  const told = session.judge(entryOf({ ...hook, run: run2 }, '/'));
  expect(told.trustedFiles.files.map((f) => f.name)).toEqual(['g.sh']);
  expect(() => entryOf({ ...hook, run: { kind: 'call', fn: () => 1 } }, project.root)).toThrow(TypeError);
  expect(entryOf({ ...hook, run: { kind: 'http', url: 'http://x' } }, project.root).named).toEqual({
    kind: 'text',
  });
});
