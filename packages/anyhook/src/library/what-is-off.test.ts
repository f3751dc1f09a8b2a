import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writePause } from '../settings/pause.ts';
import { before, ground, host, shell } from './fixtures/ground.ts';

const PROJECT = 'project/.anyhook/hooks.json';
const begin = (session: string) =>
  ({ name: 'session.start', payload: { source: 'startup' }, ids: { session } }) as const;

describe('a hook of the project that waits for trust', () => {
  const waiting = () => ground({ [PROJECT]: before({ match: 'shell(rm*)', run: 'exit 2' }) });

  test('is told of when a session begins, though no hook listens to that', async () => {
    const hooks = await waiting().open();
    expect(hooks.wants['session.start']).toBe(true);
    const { forPerson, proceed } = await hooks.fire(begin('a'));
    expect([proceed, forPerson]).toEqual([
      'yes',
      ['anyhook: hooks of this project that wait for trust and do not run: 1; see: anyhook trust list'],
    ]);
  });

  test('is told of once to each session with the first call that it did not see', async () => {
    const place = waiting();
    const hooks = await place.open();
    const told = async (command: string, session: string) =>
      (await hooks.fire(shell(command, { session }))).forPerson;
    const line = `anyhook: this passed unasked: exit 2 (${place.root}/${PROJECT}:1) waits for trust; see: anyhook trust list`;
    expect([
      await told('ls', 'a'),
      await told('rm x', 'a'),
      await told('rm y', 'a'),
      await told('rm z', 'b'),
    ]).toEqual([[], [line], [], [line]]);
  });

  test('is told of once by programs that live for one event', async () => {
    const place = waiting();
    const told = async (session: string) => {
      const hooks = await place.open({
        host: { name: 'test', can: { 'tool.before': { deny: 'full' } } },
        sessionStore: 'file',
      });
      return (await hooks.fire(shell('rm x', { session }))).forPerson.length;
    };
    expect([await told('a'), await told('a'), await told('b')]).toEqual([1, 0, 1]);
  });

  test('that another guard refuses for is no call that passed', async () => {
    const place = waiting();
    const hooks = await place.open({ hooks: { 'tool.before': () => ({ kind: 'deny', reason: 'no' }) } });
    const { proceed, forPerson } = await hooks.fire(shell('rm x', { session: 'a' }));
    expect([proceed, forPerson]).toEqual(['no', []]);
  });
});

test('where nothing is off nobody is told, and nobody listens', async () => {
  const hooks = await ground({ 'home/.config/anyhook/hooks.json': before({ run: 'true' }) }).open();
  expect(hooks.wants['session.start']).toBe(false);
  expect((await hooks.fire(begin('a'))).forPerson).toEqual([]);
});

test('a hook for an event that this host has not is told of when a session begins', async () => {
  const place = ground({
    'home/.config/anyhook/hooks.json': { hooks: { 'model.request': [{ run: 'true' }] } },
  });
  const hooks = await place.open({
    host: { name: 'small', can: { 'tool.before': { deny: 'full' }, 'session.start': {} } },
  });
  expect((await hooks.fire(begin('a'))).forPerson).toEqual([
    'anyhook: hooks that are never asked in small, which has no such event: 1; see: anyhook list',
  ]);
});

describe('what keeps hooks from being asked is said with the first call that passes because of it', () => {
  const mine = (files: Record<string, string | object>) =>
    ground({ 'home/.config/anyhook/hooks.json': before({ match: 'shell(rm*)', run: 'exit 2' }), ...files });
  const toldTwice = async (place: ReturnType<typeof ground>) => {
    const hooks = await place.open();
    const told = async (session: string) =>
      (await hooks.fire(shell('ls', { session }))).forPerson.map((text) => text.replaceAll(place.root, ''));
    return [await told('a'), await told('a'), await told('b')];
  };

  test('a settings file of another dialect with a slip in it', async () => {
    const line = 'anyhook: this passed, and /project/.opta/config.json is broken; see: anyhook list';
    const place = mine({ 'project/.opta/config.json': '{ "hooks": [' });
    expect(await toldTwice(place)).toEqual([[line], [], [line]]);
  });

  test('a trust store that cannot be read', async () => {
    const place = mine({
      'home/.config/anyhook/trust': 'not a folder',
      'project/.opta/config.json': JSON.stringify({ hooks: [{ event: 'session.end', command: 'true' }] }),
    });
    const line = 'anyhook: this passed, and /home/.config/anyhook/trust is broken; see: anyhook list';
    expect(await toldTwice(place)).toEqual([[line], [], [line]]);
  });

  test('a pause', async () => {
    const place = mine({});
    writePause(join(place.root, 'home/.config/anyhook/paused.json'), {
      sinceMs: Date.now(),
      untilMs: Date.now() + 600_000,
    });
    const line = 'anyhook: this passed unasked: all hooks are paused; to switch them on: anyhook resume';
    expect(await toldTwice(place)).toEqual([[line], [], [line]]);
  });

  test('a journal that cannot be written, as on a full disk', async () => {
    const place = mine({ 'full/journal': 'not a folder' });
    const hooks = await place.open({ journal: { folder: join(place.root, 'full/journal') } });
    const told = async (session: string) => (await hooks.fire(shell('rm x', { session }))).forPerson;
    expect([await told('a'), await told('a')]).toEqual([
      [expect.stringMatching(/^anyhook: .*cannot write the journal: .*\. See: anyhook log$/)],
      [],
    ]);
  });

  test('nothing is said where nothing is off', async () => {
    expect(await toldTwice(mine({}))).toEqual([[], [], []]);
  });
});

describe('a hook that never does anything is told of when a session begins', () => {
  const CLAUDE = 'home/.claude/settings.json';
  const claude = (matcher: string, command = 'exit 2') => ({
    [CLAUDE]: { hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] } },
  });
  const ours = (match: string) => ({ 'home/.config/anyhook/hooks.json': before({ match, run: 'exit 2' }) });
  const told = async (files: Record<string, object>, options = {}) =>
    (await (await ground(files).open(options)).fire(begin('a'))).forPerson;
  const MATCHER = 'anyhook: hooks whose matcher fits nothing as it is written: 1; see: anyhook doctor';

  test.each([
    ['a slip', claude('Bsah')],
    ['a slip in a pattern', claude('^(?:Bsah|Wriet)$')],
    ['a slip of ours', ours('shel')],
    ['capitals', ours('SHELL')],
    ['a letter that nobody sees', claude('Bash\u200b')],
    ['one that nobody sees behind the name', claude('^Bash\u00a0$')],
    ['a pattern that fits nothing', claude('(?!)')],
    ['another one', ours('/[]/')],
  ])('%s', async (_, files) => {
    expect(await told(files)).toEqual([MATCHER]);
    expect(await told(files, { sessionStore: 'file' })).toEqual([MATCHER]);
  });

  test('a command of nothing but comments', async () => {
    expect(await told(claude('Bash', '# guard'))).toEqual([
      'anyhook: hooks whose command is empty or only a comment: 1; see: anyhook doctor',
    ]);
  });

  test('a name that may be somebody’s, and what is right, are not', async () => {
    for (const name of ['Bash', 'lookup_order', 'mcp__bsah__x', '^(?:Edit|Write)$', '*', 'Bash|lookup_order'])
      expect(await told(claude(name)), name).toEqual([]);
    const tools = { shelf: { is: 'read' as const } };
    expect(await told(ours('shelf'))).toEqual([MATCHER]);
    expect(await told(ours('shelf'), { host: { ...host, tools } })).toEqual([]);
  });
});

describe('a slip in a file that is left to the host', () => {
  const CLAUDE = 'home/.claude/settings.json';
  const settings = { without: ['claude-code'] };
  const guard = { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] };
  const at = async (file: object, sessionStore: 'memory' | 'file') => {
    const place = ground({ [CLAUDE]: file });
    const hooks = await place.open({ settings, sessionStore });
    const [start, call] = [await hooks.fire(begin('a')), await hooks.fire(shell('ls', { session: 'a' }))];
    return {
      start: start.forPerson.map((text) => text.replaceAll(place.root, '')),
      call: [call.proceed, call.forPerson],
      problems: hooks.problems,
    };
  };

  test.each(['memory', 'file'] as const)(
    'is told of when a session begins, and nothing else changes: %s',
    async (sessionStore) => {
      expect(await at({ hook: guard }, sessionStore)).toEqual({
        start: [
          `anyhook: /${CLAUDE}:1:2: hook: unknown key "hook". Did you mean "hooks"? [unknown-key]; see: anyhook list`,
        ],
        call: ['yes', []],
        problems: [],
      });
      const none = { start: [], call: ['yes', []], problems: [] };
      expect(await at({ hooks: guard }, sessionStore)).toEqual(none);
      // An agent that is newer than we are may have more events.
      expect(await at({ hooks: { SomethingNew: [] }, toolbox: {} }, sessionStore)).toEqual(none);
    },
  );

  test('that comes later counts after a reload, and so does a matcher that comes right', async () => {
    const OURS = 'home/.config/anyhook/hooks.json';
    const place = ground({ [CLAUDE]: { hooks: guard }, [OURS]: before({ match: 'shel', run: 'true' }) });
    const hooks = await place.open({ settings });
    const told = async (session: string) => (await hooks.fire(begin(session))).forPerson.join('\n');
    expect(await told('a')).toMatch(/^anyhook: hooks whose matcher fits nothing[^\n]*$/);
    place.put(CLAUDE, JSON.stringify({ Hooks: guard }));
    place.put(OURS, JSON.stringify(before({ match: 'shell', run: 'true' })));
    await hooks.reload();
    const then = await told('b'); // besides, that a guard is another one now
    expect(then).toContain('unknown key "Hooks"');
    expect(then).not.toContain('fits nothing');
  });

  test('that comes later counts at the next session without a reload', async () => {
    const place = ground({ [CLAUDE]: { hooks: guard } });
    const hooks = await place.open({ settings });
    const told = async (session: string) => (await hooks.fire(begin(session))).forPerson.length;
    expect(await told('a')).toBe(0);
    place.put(CLAUDE, JSON.stringify({ Hooks: guard }));
    expect(await told('b')).toBe(1);
  });
});
