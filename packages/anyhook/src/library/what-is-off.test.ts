import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writePause } from '../settings/pause.ts';
import { before, ground, host, shell } from './fixtures/ground.ts';

const PROJECT = 'project/.anyhook/hooks.json';
const begin = (session: string) =>
  ({ name: 'session.start', payload: { source: 'startup' }, ids: { session } }) as const;

describe('a project hook that waits for trust', () => {
  const waiting = () => ground({ [PROJECT]: before({ match: 'shell(rm*)', run: 'exit 2' }) });

  test('an untrusted hook is reported at session start, even if no hook listens to that event', async () => {
    const hooks = await waiting().open();
    expect(hooks.wants['session.start']).toBe(true);
    const { forPerson, proceed } = await hooks.fire(begin('a'));
    expect([proceed, forPerson]).toEqual([
      'yes',
      ['anyhook: hooks of this project that wait for trust and do not run: 1; see: anyhook trust list'],
    ]);
  });

  test('an untrusted hook is reported once per session with the first call that it did not see', async () => {
    const place = waiting();
    const hooks = await place.open();
    const told = async (command: string, session: string) =>
      (await hooks.fire(shell(command, { session }))).forPerson;
    const line = `anyhook: this passed without its hooks: exit 2 (${place.root}/${PROJECT}:1) waits for trust; see: anyhook trust list`;
    expect([
      await told('ls', 'a'),
      await told('rm x', 'a'),
      await told('rm y', 'a'),
      await told('rm z', 'b'),
    ]).toEqual([[], [line], [], [line]]);
  });

  test('an untrusted hook is reported once across programs that live for one event', async () => {
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

  test('a call that another guard refuses did not pass unseen', async () => {
    const place = waiting();
    const hooks = await place.open({ hooks: { 'tool.before': () => ({ kind: 'deny', reason: 'no' }) } });
    const { proceed, forPerson } = await hooks.fire(shell('rm x', { session: 'a' }));
    expect([proceed, forPerson]).toEqual(['no', []]);
  });
});

test('if all hooks are active, nothing is reported and nothing listens', async () => {
  const hooks = await ground({ 'home/.config/anyhook/hooks.json': before({ run: 'true' }) }).open();
  expect(hooks.wants['session.start']).toBe(false);
  expect((await hooks.fire(begin('a'))).forPerson).toEqual([]);
});

test('a hook for an event that this host lacks is reported at session start', async () => {
  const place = ground({
    'home/.config/anyhook/hooks.json': { hooks: { 'model.request': [{ run: 'true' }] } },
  });
  const hooks = await place.open({
    host: { name: 'small', can: { 'tool.before': { deny: 'full' }, 'session.start': {} } },
  });
  expect((await hooks.fire(begin('a'))).forPerson).toEqual([
    'anyhook: hooks that never run in small, which has no such event: 1; see: anyhook list',
  ]);
});

describe('the reason that hooks do not run is reported with the first call that passes because of it', () => {
  const mine = (files: Record<string, string | object>) =>
    ground({ 'home/.config/anyhook/hooks.json': before({ match: 'shell(rm*)', run: 'exit 2' }), ...files });
  const noticesOfTwoSessions = async (place: ReturnType<typeof ground>) => {
    const hooks = await place.open();
    const told = async (session: string) =>
      (await hooks.fire(shell('ls', { session }))).forPerson.map((text) => text.replaceAll(place.root, ''));
    return [await told('a'), await told('a'), await told('b')];
  };

  test('a settings file of another dialect with a typo is reported', async () => {
    const line = 'anyhook: this passed, and /project/.opta/config.json is broken; see: anyhook list';
    const place = mine({ 'project/.opta/config.json': '{ "hooks": [' });
    expect(await noticesOfTwoSessions(place)).toEqual([[line], [], [line]]);
  });

  test('a trust store that cannot be read is reported', async () => {
    const place = mine({
      'home/.local/share/anyhook/trust': 'not a folder',
      'project/.opta/config.json': JSON.stringify({ hooks: [{ event: 'session.end', command: 'true' }] }),
    });
    const line = 'anyhook: this passed, and /home/.local/share/anyhook/trust is broken; see: anyhook list';
    expect(await noticesOfTwoSessions(place)).toEqual([[line], [], [line]]);
  });

  test('a pause is reported', async () => {
    const place = mine({});
    writePause(join(place.root, 'home/.local/share/anyhook/paused.json'), {
      sinceMs: Date.now(),
      untilMs: Date.now() + 600_000,
    });
    const line = 'anyhook: this passed without its hooks: all hooks are paused; to resume: anyhook resume';
    expect(await noticesOfTwoSessions(place)).toEqual([[line], [], [line]]);
  });

  test('a journal that cannot be written, as on a full disk, is reported', async () => {
    const place = mine({ 'full/journal': 'not a folder' });
    const hooks = await place.open({ journal: { folder: join(place.root, 'full/journal') } });
    const told = async (session: string) => (await hooks.fire(shell('rm x', { session }))).forPerson;
    expect([await told('a'), await told('a')]).toEqual([
      [expect.stringMatching(/^anyhook: .*cannot write the journal: .*\. See: anyhook log$/)],
      [],
    ]);
  });

  test('nothing is reported if all hooks are active', async () => {
    expect(await noticesOfTwoSessions(mine({}))).toEqual([[], [], []]);
  });
});

describe('a hook that never does anything is reported at session start', () => {
  const CLAUDE = 'home/.claude/settings.json';
  const claude = (matcher: string, command = 'exit 2') => ({
    [CLAUDE]: { hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] } },
  });
  const ours = (match: string) => ({ 'home/.config/anyhook/hooks.json': before({ match, run: 'exit 2' }) });
  const told = async (files: Record<string, object>, options = {}) =>
    (await (await ground(files).open(options)).fire(begin('a'))).forPerson;
  const MATCHER = 'anyhook: hooks whose matcher matches nothing as written: 1; see: anyhook doctor';

  test.each([
    ['a typo', claude('Bsah')],
    ['a typo in a pattern', claude('^(?:Bsah|Wriet)$')],
    ['a typo of ours', ours('shel')],
    ['capitals', ours('SHELL')],
    ['a letter that nobody sees', claude('Bash\u200b')],
    ['one that nobody sees behind the name', claude('^Bash\u00a0$')],
    ['a pattern that fits nothing', claude('(?!)')],
    ['another one', ours('/[]/')],
  ])('%s', async (_, files) => {
    expect(await told(files)).toEqual([MATCHER]);
    expect(await told(files, { sessionStore: 'file' })).toEqual([MATCHER]);
  });

  test('a command that contains only comments is reported', async () => {
    expect(await told(claude('Bash', '# guard'))).toEqual([
      'anyhook: hooks whose command is empty or only a comment: 1; see: anyhook doctor',
    ]);
  });

  test('names that may exist, and valid names, are not reported', async () => {
    for (const name of ['Bash', 'lookup_order', 'mcp__bsah__x', '^(?:Edit|Write)$', '*', 'Bash|lookup_order'])
      expect(await told(claude(name)), name).toEqual([]);
    const tools = { shelf: { is: 'read' as const } };
    expect(await told(ours('shelf'))).toEqual([MATCHER]);
    expect(await told(ours('shelf'), { host: { ...host, tools } })).toEqual([]);
  });
});

describe('a typo in a file left to the host', () => {
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
    'a typo in a file left to the host is reported at session start and changes nothing else: %s',
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
      // A newer agent may have more events.
      expect(await at({ hooks: { SomethingNew: [] }, toolbox: {} }, sessionStore)).toEqual(none);
    },
  );

  test('a typo added later counts after a reload, and so does a fixed matcher', async () => {
    const OURS = 'home/.config/anyhook/hooks.json';
    const place = ground({ [CLAUDE]: { hooks: guard }, [OURS]: before({ match: 'shel', run: 'true' }) });
    const hooks = await place.open({ settings });
    const told = async (session: string) => (await hooks.fire(begin(session))).forPerson.join('\n');
    expect(await told('a')).toMatch(/^anyhook: hooks whose matcher matches nothing[^\n]*$/);
    place.put(CLAUDE, JSON.stringify({ Hooks: guard }));
    place.put(OURS, JSON.stringify(before({ match: 'shell', run: 'true' })));
    await hooks.reload();
    const then = await told('b'); // the change of the guard is reported as well
    expect(then).toContain('unknown key "Hooks"');
    expect(then).not.toContain('matches nothing');
  });

  test('a typo added later counts in the next session without a reload', async () => {
    const place = ground({ [CLAUDE]: { hooks: guard } });
    const hooks = await place.open({ settings });
    const told = async (session: string) => (await hooks.fire(begin(session))).forPerson.length;
    expect(await told('a')).toBe(0);
    place.put(CLAUDE, JSON.stringify({ Hooks: guard }));
    expect(await told('b')).toBe(1);
  });
});
