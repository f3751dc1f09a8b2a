import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DiskState } from './disk-state.ts';
import { TestProject, treeOf } from './fixtures/project.ts';
import { prune } from './prune.ts';
import { planUndo, recordsIn } from './undo.ts';

const sh = (cwd: string, command: string): void =>
  void execFileSync('sh', ['-c', command], { cwd, stdio: 'ignore' });

describe('an undo of a session', () => {
  test('restores edits, deletions, renames, modes, links, empty folders, CRLF and names that are not UTF-8, byte for byte', async () => {
    const project = new TestProject();
    const { root } = project;
    sh(
      root,
      `mkdir -p src/deep empty keep; printf 'one\\r\\ntwo\\r\\n' > src/crlf.txt; printf '\\000\\377' > src/deep/bin; echo x > run.sh
       chmod 755 run.sh; chmod 700 keep; ln -s src/crlf.txt link; ln -s nowhere broken; printf y > "$(printf 'b\\377d')"; echo r > README`,
    );
    const before = project.tree();
    await project.call(() =>
      sh(
        root,
        `rm -rf src/deep empty link; printf changed > src/crlf.txt; chmod 600 run.sh; mv README readme; ln -sf elsewhere broken
         rm "$(printf 'b\\377d')"; mkdir new; echo n > new/file; rmdir keep; echo now-a-file > keep`,
      ),
    );
    await project.call(() => sh(root, 'rm run.sh; mv src moved; echo more > new/more'));
    expect(project.tree()).not.toEqual(before);
    const { failures, skipped } = await project.undo();
    expect({ failures, skipped, tree: project.tree() }).toEqual({ failures: [], skipped: [], tree: before });
  });

  test('leaves what the user changed between and after the calls as it is', async () => {
    const project = new TestProject();
    for (const name of ['agent', 'between', 'after']) writeFileSync(project.path(name), `${name}\n`);
    await project.call(() => writeFileSync(project.path('agent'), 'changed by the agent\n'));
    writeFileSync(project.path('between'), 'changed by the user\n');
    await project.call(() => writeFileSync(project.path('new'), 'by the agent\n'));
    writeFileSync(project.path('after'), 'changed by the user\n');
    writeFileSync(project.path('mine'), 'new by the user\n');
    const { skipped } = await project.undo();
    expect(skipped).toEqual([]);
    expect(project.tree()).toEqual({
      after: 'file 644 changed by the user\n',
      agent: 'file 644 agent\n',
      between: 'file 644 changed by the user\n',
      mine: 'file 644 new by the user\n',
    });
  });

  test('skips a file that the user edited after the agent, and merges it by choice', async () => {
    const project = new TestProject();
    const lines = (change: Record<number, string>) =>
      Array.from({ length: 30 }, (_, at) => `${change[at] ?? `line ${at}`}\n`).join('');
    writeFileSync(project.path('text'), lines({}));
    await project.call(() => writeFileSync(project.path('text'), lines({ 2: 'agent' })));
    writeFileSync(project.path('text'), lines({ 2: 'agent', 25: 'user' }));
    const skipping = await project.undo();
    expect(skipping.skipped.map(({ path, why }) => [path, why])).toEqual([['text', 'changed-since']]);
    expect(readFileSync(project.path('text'), 'utf8')).toBe(lines({ 2: 'agent', 25: 'user' }));
    await project.undo({ kind: 'session' }, { onConflict: 'merge' });
    expect(readFileSync(project.path('text'), 'utf8')).toBe(lines({ 25: 'user' }));
  });

  test('does not merge edits of the same lines', async () => {
    const project = new TestProject();
    writeFileSync(project.path('text'), 'a\n');
    await project.call(() => writeFileSync(project.path('text'), 'b\n'));
    writeFileSync(project.path('text'), 'c\n');
    await project.undo({ kind: 'session' }, { onConflict: 'merge' });
    expect(readFileSync(project.path('text'), 'utf8')).toBe('c\n');
  });

  test('is undone by an undo of its own record', async () => {
    const project = new TestProject();
    writeFileSync(project.path('file'), 'before');
    await project.call(() => sh(project.root, 'printf after > file; mkdir sub; printf new > sub/file'));
    const after = project.tree();
    const { record } = await project.undo();
    expect(project.tree()).toEqual({ file: 'file 644 before' });
    await project.undo({ kind: 'call', id: record.id });
    expect(project.tree()).toEqual(after);
  });

  test('keeps a folder of the agent in which the user put a file', async () => {
    const project = new TestProject();
    await project.call(() => sh(project.root, 'mkdir made; echo a > made/agent'));
    writeFileSync(project.path('made/user'), 'mine');
    await project.undo();
    expect(Object.keys(project.tree())).toEqual(['made', 'made/user']);
  });

  test('never writes through a link that replaced a folder', async () => {
    const project = new TestProject();
    const outside = join(project.folder, 'outside');
    mkdirSync(outside);
    mkdirSync(project.path('sub'));
    writeFileSync(project.path('sub/file'), 'before');
    await project.call(() => writeFileSync(project.path('sub/file'), 'after'));
    rmSync(project.path('sub'), { recursive: true });
    symlinkSync(outside, project.path('sub'));
    writeFileSync(join(outside, 'file'), 'after');
    await project.undo({ kind: 'session' }, { onConflict: 'restore' });
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('after');
  });

  test('treats a call whose end was never reported as a conflict, and what changed after the next call as no part of it', async () => {
    const project = new TestProject();
    writeFileSync(project.path('file'), 'before');
    const call = { agent: 'codex', session: 's1', tool: 'shell', what: 'x' };
    await project.store.begin(call);
    writeFileSync(project.path('file'), 'after');
    await project.store.begin({ ...call, paths: ['other'] });
    writeFileSync(project.path('mine'), 'by the user');
    const { skipped } = await project.undo();
    expect(skipped.map(({ path, why }) => [path, why])).toEqual([['file', 'end-not-reported']]);
    await project.undo({ kind: 'session' }, { onConflict: 'restore' });
    expect(project.tree()).toEqual({ file: 'file 644 before', mine: 'file 644 by the user' });
  });

  test('goes back to what the user left between two calls that changed the same file', async () => {
    const project = new TestProject();
    const file = project.path('file');
    writeFileSync(file, 'first');
    await project.call(() => writeFileSync(file, 'agent'));
    writeFileSync(file, 'user');
    await project.call(() => writeFileSync(file, 'agent again'));
    await project.undo();
    expect(readFileSync(file, 'utf8')).toBe('user');
  });

  test('keeps what the user changed while a call was refused without a report', async () => {
    const project = new TestProject();
    writeFileSync(project.path('mine'), 'before');
    const call = { agent: 'codex', session: 's1', tool: 'shell', what: 'refused' };
    await project.store.begin(call);
    writeFileSync(project.path('mine'), 'by the user');
    await project.call(() => writeFileSync(project.path('agents'), 'by the agent'));
    const { skipped } = await project.undo();
    expect(skipped.map(({ path, why }) => [path, why])).toEqual([['mine', 'end-not-reported']]);
    expect(project.tree()).toEqual({ mine: 'file 644 by the user' });
  });

  test('puts back a folder and its file although the agent took the right to write away', async () => {
    const project = new TestProject();
    mkdirSync(project.path('sub'));
    writeFileSync(project.path('sub/file'), 'before');
    const before = project.tree();
    await project.call(() => sh(project.root, 'echo after > sub/file; chmod 555 sub'));
    await project.undo();
    expect(project.tree()).toEqual(before);
  });

  test('restores only the paths that the user names', async () => {
    const project = new TestProject();
    await project.call(() => sh(project.root, 'mkdir a b; echo 1 > a/x; echo 2 > b/x'));
    await project.undo({ kind: 'session' }, { only: ['a'] });
    expect(Object.keys(project.tree())).toEqual(['b', 'b/x']);
  });

  test('restores the calls of one turn only', async () => {
    const project = new TestProject();
    await project.call(() => writeFileSync(project.path('first'), '1'));
    await project.store.endTurn('codex', 's1');
    await project.call(() => writeFileSync(project.path('second'), '2'));
    await project.undo({ kind: 'turn' });
    expect(Object.keys(project.tree())).toEqual(['first']);
  });

  test('takes calls that ran at the same time as one', async () => {
    const project = new TestProject();
    writeFileSync(project.path('file'), '0');
    const call = (id: string) => ({ agent: 'codex', session: 's1', tool: 'shell', what: 'x', call: id });
    await project.store.begin(call('a'));
    writeFileSync(project.path('file'), '1');
    await project.store.begin(call('b'));
    writeFileSync(project.path('file'), '2');
    await project.store.end('codex', 's1', 'a');
    writeFileSync(project.path('file'), '3');
    await project.store.end('codex', 's1', 'b');
    await project.undo();
    expect(readFileSync(project.path('file'), 'utf8')).toBe('0');
  });

  test('renames back on a file system that ignores the case of names', async () => {
    const project = new TestProject();
    writeFileSync(project.path('README'), 'text');
    await project.call(() => renameSync(project.path('README'), project.path('readme')));
    const plan = await planUndo(project.store, recordsIn(project.store.records.all(), { kind: 'session' }));
    expect(plan.map(({ path, kind }) => [path, kind])).toEqual([
      ['README', 'restore'],
      ['readme', 'restore'],
    ]);
    // There, both names find the file, but only one is listed.
    const state = new DiskState(() => ['readme']).at;
    writeFileSync(project.path('README'), 'text');
    expect([state(project.store.root, 'README'), state(project.store.root, 'readme')?.kind]).toEqual([
      undefined,
      'file',
    ]);
    rmSync(project.path('README'));
    await project.undo();
    expect(readdirSync(project.root)).toEqual(['README']);
  });
});

describe('a snapshot', () => {
  test('contains ignored files, nested repositories and files that attributes would convert, and no .git', async () => {
    const project = new TestProject();
    const { root } = project;
    sh(
      root,
      `git init -q .; printf '.env\\nbuild/\\n' > .gitignore; printf '*.txt text eol=lf\\n*.bin filter=lfs diff=lfs merge=lfs -text\\n' > .gitattributes
       printf 'a\\r\\n' > a.txt; echo pointer > big.bin; echo secret > .env; mkdir build; echo o > build/out; git init -q nested; echo n > nested/file`,
    );
    const before = treeOf(root);
    const git = Object.keys(before).filter((path) => /(?:^|\/)\.git(?:\/|$)/.test(path));
    await project.call(() => sh(root, 'rm -rf .env build a.txt big.bin nested/file'));
    await project.undo();
    expect(treeOf(root)).toEqual(before);
    const record = project.store.records.all()[0]!;
    const names = [...project.store.objects.readTree(record.areas[0]!.before).keys()];
    expect(names).not.toContain('.git');
    expect(git.length).toBeGreaterThan(0);
  });

  test('leaves the index, the stash and the objects of a repository in the middle of a rebase untouched', async () => {
    const project = new TestProject();
    const { root } = project;
    const git = 'git -c user.name=a -c user.email=a@b';
    sh(
      root,
      `git init -q -b main .; echo 1 > f; git add f; ${git} commit -qm 1; git checkout -qb side; echo 2 > f; ${git} commit -qam 2
       git checkout -q main; echo 3 > f; ${git} commit -qam 3; git checkout -q side; ${git} rebase main || true`,
    );
    const hooked = join(root, '.git/hooks/post-checkout');
    writeFileSync(hooked, '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
    const before = treeOf(root);
    await project.call(() => sh(root, 'rm f; echo x > g'));
    await project.undo();
    expect(treeOf(root)).toEqual(before);
  });

  test('reads only changed files the second time, and nothing in a new process', async () => {
    const project = new TestProject();
    for (let at = 0; at < 60; at++) writeFileSync(project.path(`f${at}`), String(at));
    await new Promise((resolve) => setTimeout(resolve, 120)); // a file that was just written is read again
    await project.call(() => {});
    await project.store.close();
    const objects = () => project.store.objects.list().size;
    const count = objects();
    const other = project.open();
    const { id } = await other.begin({ agent: 'a', session: 'x', tool: 'shell', what: '' });
    expect(objects()).toBe(count);
    expect(id > project.store.records.all()[0]!.id).toBe(true);
  });

  test('sees a change that leaves the size as it was', async () => {
    const project = new TestProject();
    for (let at = 0; at < 50; at++) {
      writeFileSync(project.path('file'), `${at % 10}`);
      await project.call(() => writeFileSync(project.path('file'), 'x'));
      await project.undo({ kind: 'turn' });
      expect(readFileSync(project.path('file'), 'utf8')).toBe(`${at % 10}`);
      await prune(project.store, { keepDays: 0, keepBytes: 0 });
    }
  });

  test('leaves out large files and bulky folders as a whole, and lists them', async () => {
    const project = new TestProject({ maxFileBytes: 10, bulkyFiles: 5 });
    sh(
      project.root,
      'echo 12345678901 > large; mkdir node_modules; for n in 1 2 3 4 5 6; do echo $n > node_modules/$n; done; mkdir target; echo 1 > target/x',
    );
    const call = { agent: 'codex', session: 's1', tool: 'shell', what: 'x' };
    const { leftOut } = await project.store.begin(call);
    expect(leftOut).toEqual([
      { path: 'large', why: 'too-large' },
      { path: 'node_modules', why: 'bulky-folder' },
    ]);
    sh(project.root, 'rm -rf large node_modules target');
    await project.store.end('codex', 's1', undefined);
    const { skipped } = await project.undo();
    expect(skipped.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'large unknown',
      'node_modules unknown',
    ]);
    expect(Object.keys(project.tree())).toEqual(['target', 'target/x']);
  });

  test('refuses a project with more files than the limit', async () => {
    const project = new TestProject({ maxFiles: 3 });
    sh(project.root, 'touch 1 2 3 4');
    await expect(project.store.begin({ agent: 'a', session: 's', tool: 't', what: '' })).rejects.toThrow(
      'the project has more than 3 files',
    );
  });

  test('reads no content through pipes, sockets and links', async () => {
    const project = new TestProject();
    sh(project.root, 'mkfifo pipe; ln -s /etc/hostname link');
    const { leftOut } = await project.store.begin({ agent: 'a', session: 's', tool: 't', what: '' });
    expect(leftOut).toEqual([{ path: 'pipe', why: 'special-file' }]);
  });

  test('restores thousands of files of a deleted node_modules', async () => {
    const project = new TestProject();
    for (let folder = 0; folder < 100; folder++) {
      mkdirSync(project.path('node_modules', `p${folder}`), { recursive: true });
      for (let file = 0; file < 30; file++)
        writeFileSync(project.path('node_modules', `p${folder}`, `${file}.js`), `${folder} ${file}`);
    }
    const before = project.tree();
    await project.call(() => sh(project.root, 'rm -rf node_modules'));
    expect(project.tree()).toEqual({});
    await project.undo();
    expect(project.tree()).toEqual(before);
  });

  test('stores what is taken away outside the project and puts it back', async () => {
    const project = new TestProject();
    const outside = join(project.folder, 'outside');
    mkdirSync(join(outside, 'sub'), { recursive: true });
    writeFileSync(join(outside, 'sub/file'), 'text');
    chmodSync(join(outside, 'sub'), 0o750);
    const before = treeOf(outside);
    await project.call(() => rmSync(join(outside, 'sub'), { recursive: true }), {
      outside: [join(outside, 'sub')],
    });
    await project.undo();
    expect(treeOf(outside)).toEqual(before);
  });
});

describe('a prune', () => {
  test('removes every record and object with the last call', async () => {
    const project = new TestProject();
    await project.call(() => sh(project.root, 'mkdir a; echo x > a/b; head -c 3000000 /dev/zero > large'));
    await project.undo();
    await prune(project.store, { keepDays: 0, keepBytes: 0 });
    expect(project.store.records.all()).toEqual([]);
    expect(project.store.objects.list().size).toBe(0);
  });

  test('keeps what younger records need, also if another process knew the removed objects', async () => {
    const project = new TestProject();
    const other = project.open();
    writeFileSync(project.path('file'), 'first');
    const call = { agent: 'codex', session: 's1', tool: 'shell', what: 'x' };
    await other.begin(call);
    await other.end('codex', 's1', undefined);
    await prune(project.store, { keepDays: 0, keepBytes: 0 });
    await other.begin(call);
    writeFileSync(project.path('file'), 'second');
    await other.end('codex', 's1', undefined);
    await prune(project.store, { keepDays: 1, keepBytes: 1e9 });
    await project.undo();
    expect(readFileSync(project.path('file'), 'utf8')).toBe('first');
  });

  test('removes the oldest first beyond a total size', async () => {
    const project = new TestProject();
    for (const name of ['one', 'two', 'three'])
      await project.call(() => writeFileSync(project.path('file'), name.repeat(10_000)));
    const { records } = await prune(project.store, { keepDays: 30, keepBytes: 90_000 });
    expect(records).toBe(2);
    expect(project.store.records.all()).toHaveLength(1);
  });
});

describe('a store', () => {
  test('is private to the user', async () => {
    const project = new TestProject();
    await project.call(() => writeFileSync(project.path('file'), 'x'));
    const modes = treeOf(project.stores);
    expect(Object.values(modes).filter((text) => !/^(?:folder 700|file 600)/.test(text))).toEqual([]);
    expect(existsSync(project.stores)).toBe(true);
  });

  test('reports a damaged content and restores the rest', async () => {
    const project = new TestProject();
    writeFileSync(project.path('a'), 'good');
    writeFileSync(project.path('b'), 'bad');
    await project.call(() => sh(project.root, 'rm a b'));
    const { hash } = project.store.objects
      .readTree(project.store.records.all()[0]!.areas[0]!.before)
      .get('b') as {
      hash: string;
    };
    const file = join(project.store.folder, 'objects', hash.slice(0, 2), hash.slice(2));
    chmodSync(file, 0o600);
    writeFileSync(file, 'evil');
    const { failures } = await project.undo();
    expect(failures.map(({ why }) => why)).toEqual([
      `the content ${hash.slice(0, 12)} of the store is damaged`,
    ]);
    expect(project.tree()).toEqual({ a: 'file 644 good' });
  });

  test('serves two processes at once', async () => {
    const project = new TestProject();
    const stores = [project.store, project.open(), project.open()];
    await Promise.all(
      stores.map(async (store, at) => {
        for (let round = 0; round < 5; round++) {
          const call = { agent: 'codex', session: `s${at}`, tool: 'write', what: '', paths: [`f${at}`] };
          await store.begin(call);
          writeFileSync(project.path(`f${at}`), String(round));
          await store.end('codex', `s${at}`, undefined);
        }
      }),
    );
    expect(project.store.records.all()).toHaveLength(15);
    await project.undo({ kind: 'session', session: 's1' });
    expect(Object.keys(project.tree())).toEqual(['f0', 'f2']);
  });

  test('takes over the lock of a process that was killed', async () => {
    const project = new TestProject();
    mkdirSync(project.store.folder, { recursive: true });
    writeFileSync(join(project.store.folder, 'lock'), '999999999 x');
    await project.call(() => {});
    expect(project.store.records.all()).toHaveLength(1);
  });
});
