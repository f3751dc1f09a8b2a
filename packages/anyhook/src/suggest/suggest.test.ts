/** Suggestions from journals that real hooks wrote. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_UNDO } from '../events/undo-settings.ts';
import { locationsOf } from '../gather/folders.ts';
import { ask, defineHook, deny } from '../index.ts';
import { readFolder, type ReadRecord } from '../journal/index.ts';
import { ground, type TestGround, USER } from '../library/fixtures/ground.ts';
import { UndoStore } from '../undo/store.ts';
import { applyUndo, recordsIn } from '../undo/undo.ts';
import { undoneCalls } from '../undo/undone-calls.ts';
import { recordedCommands } from './evidence.ts';
import { missingIn, proposedEdit } from './file-proposal.ts';
import { propose } from './propose.ts';
import { tried } from './trial.ts';

type Fate = 'approved' | 'refused' | 'unanswered';

/** Asks about every command, except those that it refuses or that start with `free`. */
const guard = defineHook({
  on: 'tool.before',
  name: 'asks',
  run({ payload }) {
    const command = String((payload.input as { command?: unknown }).command);
    if (command.startsWith('free')) return undefined;
    return command.startsWith('bad') ? deny('bad') : ask('sure?');
  },
});

let calls = 0;
/** Records these commands with what their user answered, each in a session of its own. */
async function recorded(at: TestGround, ...commands: readonly (readonly [string, (Fate | undefined)?])[]) {
  const hooks = await at.open({
    hooks: [guard, defineHook({ on: 'tool.after', run() {} }), defineHook({ on: 'tool.denied', run() {} })],
  });
  for (const [command, fate = 'approved'] of commands) {
    const ids = { session: `s${calls++}`, call: `c${calls}` };
    const payload = { tool: 'shell', input: { command } };
    const { verdict } = await hooks.fire({ name: 'tool.before', payload, ids });
    if (verdict === 'deny' || fate === 'unanswered') continue;
    if (fate === 'refused')
      await hooks.fire({ name: 'tool.denied', payload: { ...payload, reason: 'no' }, ids });
    else await hooks.fire({ name: 'tool.after', payload: { ...payload, content: [] }, ids });
  }
  return [...readFolder(join(at.home, '.local/state/anyhook/journal'))].flatMap((entry) =>
    entry.kind === 'record' ? [entry.record] : [],
  );
}
const times = (count: number, command: string, fate?: Fate) =>
  Array.from({ length: count }, () => [command, fate] as const);
const suggested = async (
  records: readonly ReadRecord[],
  least = 3,
  undone: ReadonlySet<string> = new Set(),
) => {
  const { proposals, asked } = propose(recordedCommands(records, undone), least);
  return {
    proposals: (await tried(proposals, records)).map(({ proposal, change }) => ({
      ...proposal.entry,
      change,
    })),
    asked: asked.map(({ command, why }) => [command, why]),
  };
};

test('a command that the user approved each time is proposed as allowed, in its project only', async () => {
  const at = ground();
  const { proposals } = await suggested(await recorded(at, ...times(3, 'npm test')));
  expect(proposals).toEqual([
    {
      command: 'npm test',
      project: at.cwd,
      change: { same: 0, newlyRefused: 0, unasked: 3 },
    },
  ]);
});

test.each([
  ['was approved too rarely', times(2, 'npm test'), undefined],
  ['was refused once', [...times(3, 'npm test'), ...times(1, 'npm test', 'refused')], 'it was also refused'],
  [
    'was once not answered',
    [...times(3, 'npm test'), ...times(1, 'npm test', 'unanswered')],
    'not every question was answered',
  ],
  ['deletes', times(5, 'rm -rf /tmp/x'), 'rm is never allowed for good'],
  ['runs a file that can change', times(5, 'bash t.sh'), 'bash is never allowed for good'],
  ['runs a program by its path', times(5, './t.sh'), './t.sh is never allowed for good'],
  ['a preset finds dangerous', times(5, 'terraform destroy'), 'danger:delete matches it'],
  ['a preset finds dangerous as a push', times(5, 'git push --force'), 'danger:history matches it'],
  ['reads a key', times(5, 'cat /home/me/.ssh/id_rsa'), 'danger:secrets matches it'],
  ['is compound', times(5, 'npm test && rm x'), undefined],
  ['contains a variable', times(5, 'rm $X'), undefined],
  ['writes to a file', times(5, 'npm test > out'), undefined],
])('a command that %s is not proposed as allowed', async (_, commands, why) => {
  const { proposals, asked } = await suggested(await recorded(ground(), ...commands));
  expect(proposals.filter((entry) => 'command' in entry)).toEqual([]);
  expect(asked.map(([, text]) => text)).toEqual(why === undefined ? [] : [why]);
});

test('commands with other operands are proposed one by one, never by a pattern', async () => {
  const records = await recorded(ground(), ...times(3, 'npm run lint'), ...times(3, 'npm run build'), [
    'npm run evil',
  ]);
  const { proposals } = await suggested(records);
  expect(proposals.map((entry) => 'command' in entry && entry.command)).toEqual([
    'npm run lint',
    'npm run build',
  ]);
});

test('commands of one shape that were refused each time are proposed as a named guard', async () => {
  const records = await recorded(
    ground(),
    ['git push --force origin a', 'refused'],
    ['git push origin b --force', 'refused'],
    ['git push --force', 'refused'],
    ['git push origin main'],
  );
  const { proposals } = await suggested(records);
  expect(proposals).toEqual([
    {
      name: 'no-git-push-force',
      match: 'shell(git push --force*)',
      limit: { times: 0 },
      reason: 'git push --force was refused each time',
      change: { same: 3, newlyRefused: 0, unasked: 0 },
    },
  ]);
});

test('a hook that refuses by running code is proposed as a guard, and one that lets a call of the shape pass is not', async () => {
  const at = ground();
  expect((await suggested(await recorded(at, ...times(3, 'bad --all thing')))).proposals).toMatchObject([
    { match: 'shell(bad --all*)' },
  ]);
  const mixed = [...times(3, 'tool --x a', 'refused'), ['tool --x b'] as const];
  expect((await suggested(await recorded(ground(), ...mixed))).proposals).toEqual([]);
});

test('a program without a subcommand or an option is never refused as a whole', async () => {
  const records = await recorded(ground(), ...times(5, 'drop it', 'refused'));
  expect((await suggested(records)).proposals).toEqual([]);
});

test('a guard that would refuse a compound command that ran is left out', async () => {
  const records = await recorded(ground(), ...times(3, 'drop --all x', 'refused'), [
    'free x && drop --all y',
  ]);
  expect((await suggested(records)).proposals).toEqual([]);
});

test('the proposals are added to the text of hooks.json, and then work', async () => {
  const text =
    '{\n  // mine\n  "approvals": "always",\n  "hooks": { "turn.end": [{ "run": "true", "background": true }] }\n}\n';
  const at = ground({ [USER]: text });
  const records = await recorded(at, ...times(3, 'npm test'), ...times(3, 'git push --force', 'refused'));
  const locations = locationsOf({ cwd: at.cwd, home: at.home });
  const found = (await tried(propose(recordedCommands(records, new Set()), 3).proposals, records)).map(
    ({ proposal }) => proposal,
  );
  expect(found).toHaveLength(2);
  const edit = proposedEdit(locations, found);
  expect(readFileSync(join(at.root, USER), 'utf8')).toBe(text); // nothing was written
  expect(edit.text).toContain('// mine');
  expect(edit.diff).toContain('+');
  writeFileSync(join(at.root, USER), edit.text!);
  expect(missingIn(locations, found)).toEqual([]);
  const hooks = await at.open({ hooks: [guard], approvals: true });
  const verdict = async (command: string) =>
    (
      await hooks.fire({
        name: 'tool.before',
        payload: { tool: 'shell', input: { command } },
        ids: { session: 'n' },
      })
    ).verdict;
  expect(hooks.problems).toEqual([]);
  expect([await verdict('npm test'), await verdict('git push --force origin x')]).toEqual(['allow', 'deny']);
});

test('a home without hooks.json gets one, and a damaged one is an error', async () => {
  const at = ground();
  const records = await recorded(at, ...times(3, 'npm test'));
  const locations = locationsOf({ cwd: at.cwd, home: at.home });
  const { proposals } = propose(recordedCommands(records, new Set()), 3);
  expect(JSON.parse(proposedEdit(locations, proposals).text!)).toEqual({
    approvals: { allow: [{ command: 'npm test', project: at.cwd }] },
  });
  expect(existsSync(join(at.root, USER))).toBe(false);
  at.put(USER, '{ "hooks": ');
  expect(() => missingIn(locations, proposals)).toThrow('hooks.json');
});

test.each([
  ['each time', 3, [{ name: 'ask-sed-i', match: 'shell(sed -i*)', verdict: 'ask' }]],
  ['all but once', 2, []],
] as const)(
  'a command whose changes the user put back %s is proposed as a question only then',
  async (_, times, expected) => {
    const at = ground({ 'project/a.txt': 'one' });
    const stores = join(at.home, '.local/state/anyhook/undo');
    const store = new UndoStore(stores, at.cwd, DEFAULT_UNDO);
    const hooks = await at.open({ undo: true, hooks: [defineHook({ on: 'tool.after', run() {} })] });
    for (let nth = 0; nth < 3; nth++) {
      const ids = { session: `undo-${nth}`, call: `call-${nth}` };
      const payload = { tool: 'shell', input: { command: `sed -i s/one/two${nth}/ a.txt` } };
      await hooks.fire({ name: 'tool.before', payload, ids });
      at.put('project/a.txt', `two${nth}`);
      await hooks.fire({ name: 'tool.after', payload: { ...payload, content: [] }, ids });
      if (nth < times)
        await applyUndo(store, recordsIn(store.records.all(), { kind: 'turn' }), { who: 'ana' });
    }
    const records = [...readFolder(join(at.home, '.local/state/anyhook/journal'))].flatMap((entry) =>
      entry.kind === 'record' ? [entry.record] : [],
    );
    const { proposals } = await suggested(records, 2, undoneCalls(stores));
    expect(proposals).toMatchObject(expected);
  },
);
