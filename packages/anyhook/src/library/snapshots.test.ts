import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { ask, deny, notice, set } from '../events/effects.ts';
import { DEFAULT_UNDO } from '../events/undo-settings.ts';
import type { Options } from '../gather/options.ts';
import { UndoStore } from '../undo/store.ts';
import { recordsIn, applyUndo } from '../undo/undo.ts';
import { createHooks } from './create-hooks.ts';

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-snapshots-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  const stores = join(home, '.local/state/anyhook/undo');
  const open = (more: Partial<Options> = {}) =>
    createHooks({
      host: { name: 'test-host', can: EVERYTHING },
      home,
      cwd: project,
      env: {},
      undo: true,
      ...more,
    });
  const store = () => new UndoStore(stores, project, DEFAULT_UNDO);
  const shell = (command: string, call = 'c1') => ({
    name: 'tool.before' as const,
    payload: { tool: 'shell', input: { command } },
    ids: { session: 's1', call },
  });
  const ended = (command: string, call = 'c1') => ({
    name: 'tool.after' as const,
    payload: { tool: 'shell', input: { command }, content: [] },
    ids: { session: 's1', call },
  });
  return { folder, home, project, stores, open, store, shell, ended };
}

describe('snapshots around calls', () => {
  test('a call that only reads takes none, and a call that may change files takes one that undo uses', async () => {
    const { project, open, store, shell, ended } = place();
    const hooks = await open();
    writeFileSync(join(project, 'file'), 'before');
    const read = await hooks.fire(shell('cat file | grep x'));
    expect(read.undo).toBeUndefined();
    const outcome = await hooks.fire(shell('rm file'));
    expect(outcome.undo).toMatchObject({ snapshot: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    rmSync(join(project, 'file'));
    await hooks.fire(ended('rm file'));
    await hooks.close();
    const records = store().records.all();
    expect(records.map(({ what, call, turn, endedAt }) => [what, call, turn, endedAt !== undefined])).toEqual(
      [['rm file', 'c1', 1, true]],
    );
    await applyUndo(store(), recordsIn(records, { kind: 'turn' }), { who: 'ana' });
    expect(readFileSync(join(project, 'file'), 'utf8')).toBe('before');
  });

  test('a prompt and the end of a turn begin a new turn', async () => {
    const { open, store, shell, ended } = place();
    const hooks = await open();
    for (const name of ['prompt.submit', 'turn.stop'] as const) {
      await hooks.fire(shell('touch x'));
      await hooks.fire(ended('touch x'));
      const payload = name === 'prompt.submit' ? { prompt: 'go on' } : {};
      await hooks.fire({ name, payload, ids: { session: 's1' } } as Parameters<typeof hooks.fire>[0]);
    }
    await hooks.fire(shell('touch x'));
    await hooks.close();
    expect(
      store()
        .records.all()
        .map(({ turn }) => turn),
    ).toEqual([1, 2, 3]);
  });

  test('a refused call leaves no record', async () => {
    const { open, store, shell } = place();
    const hooks = await open({ hooks: { 'tool.before': () => deny('no') } });
    const outcome = await hooks.fire(shell('rm -rf x'));
    expect([outcome.proceed, outcome.undo]).toEqual(['no', undefined]);
    await hooks.close();
    expect(store().records.all()).toEqual([]);
  });

  test('a question that the host cannot ask refuses the call, which leaves no record', async () => {
    const { open, store, shell } = place();
    const can = { 'tool.before': { deny: 'full', ask: { as: 'deny' } } } as const;
    const hooks = await open({
      host: { name: 'test-host', can },
      hooks: { 'tool.before': () => ask('sure?') },
    });
    const outcome = await hooks.fire(shell('rm -rf x'));
    expect(outcome.proceed).toBe('no');
    await hooks.close();
    expect(store().records.all()).toEqual([]);
  });

  test('what a hook of the end changes belongs to the call', async () => {
    const { project, open, store, shell, ended } = place();
    const file = join(project, 'file');
    writeFileSync(file, 'before');
    const hooks = await open({ hooks: { 'tool.after': () => void writeFileSync(file, 'formatted') } });
    await hooks.fire(shell('echo x > file'));
    writeFileSync(file, 'x');
    await hooks.fire(ended('echo x > file'));
    await hooks.close();
    await applyUndo(store(), recordsIn(store().records.all(), { kind: 'turn' }), { who: 'ana' });
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  test('a command that a hook made of a reading one is snapshotted', async () => {
    const { open, store, shell } = place();
    const hooks = await open({ hooks: { 'tool.before': () => set('input', 'command', 'rm file') } });
    await hooks.fire(shell('cat file'));
    await hooks.close();
    expect(
      store()
        .records.all()
        .map(({ what }) => what),
    ).toEqual(['rm file']);
  });

  test('a snapshot that fails lets the call pass with a notice, once', async () => {
    const { home, open, shell } = place();
    mkdirSync(join(home, '.local/state/anyhook'), { recursive: true });
    writeFileSync(join(home, '.local/state/anyhook/undo'), 'a file in the way');
    const hooks = await open();
    const first = await hooks.fire(shell('touch x'));
    expect([first.proceed, first.forPerson.length]).toEqual(['yes', 1]);
    expect(first.forPerson[0]).toMatch(/^anyhook: this call cannot be undone: /);
    expect(first.undo).toHaveProperty('failed');
    const second = await hooks.fire(shell('touch x'));
    expect([second.proceed, second.forPerson]).toEqual(['yes', []]);
    await hooks.close();
  });

  test('a snapshot that fails refuses the call if the user requires one', async () => {
    const { home, open, shell } = place();
    mkdirSync(join(home, '.local/state/anyhook'), { recursive: true });
    writeFileSync(join(home, '.local/state/anyhook/undo'), 'a file in the way');
    const hooks = await open({ undo: { required: true } });
    const { proceed, reason } = await hooks.fire(shell('touch x'));
    expect([proceed, reason]).toEqual([
      'no',
      expect.stringContaining('no snapshot before the call') as string,
    ]);
    await hooks.close();
  });

  test('a project that is too large is named at its first call and at the start of the next session', async () => {
    const { project, open, shell } = place();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(project, name), '');
    const hooks = await open({ undo: { maxFiles: 2 } });
    const { forPerson } = await hooks.fire(shell('touch x'));
    expect(forPerson).toEqual(['anyhook: this call cannot be undone: the project has more than 2 files.']);
    await hooks.close();
    const again = await open({ undo: { maxFiles: 2 } });
    const start = await again.fire({ name: 'session.start', payload: {}, ids: { session: 's2' } });
    expect(start.forPerson).toEqual([
      'anyhook: undo is off in this project: the project has more than 2 files.',
    ]);
    await again.close();
  });

  test('a slow snapshot does not outlast the time of the event', async () => {
    const { project, open, store, shell } = place();
    for (let folder = 0; folder < 200; folder++) {
      mkdirSync(join(project, String(folder)));
      for (let file = 0; file < 10; file++)
        writeFileSync(join(project, String(folder), `${file}`), `${folder} ${file}`);
    }
    const hooks = await open();
    const { undo: mark, proceed } = await hooks.fire({ ...shell('touch x'), budgetMs: 210 });
    expect([proceed, mark]).toEqual(['yes', { failed: 'the snapshot was not complete in time' }]);
    expect(store().records.all()).toEqual([]);
    await hooks.close();
  });

  test('the journal names the snapshot of each call', async () => {
    const { home, open, shell } = place();
    const hooks = await open({ hooks: { 'tool.before': () => notice('seen') } });
    const { undo: mark } = await hooks.fire(shell('touch x'));
    await hooks.close();
    const journal = join(home, '.local/state/anyhook/journal');
    const text = readdirSync(journal)
      .map((name) => readFileSync(join(journal, name), 'utf8'))
      .join('');
    expect(text).toContain(JSON.stringify(mark));
  });

  test('undo is off without the option, and nothing is stored', async () => {
    const { open, stores, shell } = place();
    const hooks = await open({ undo: false });
    const { undo: mark } = await hooks.fire(shell('rm -rf x'));
    await hooks.close();
    expect([mark, existsSync(stores)]).toEqual([undefined, false]);
  });
});
