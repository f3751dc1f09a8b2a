/** Managed settings: users of the machine cannot disable them, and the organisation must own their folder. */

import { chmodSync, readdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import type { Options } from '../index.ts';
import { pauseFileIn, writePause } from '../settings/pause.ts';
import { before, ground, shell, type TestGround, USER } from './fixtures/ground.ts';

const REFUSES = before({ name: 'no-push', match: 'shell(git push*)', run: 'echo never >&2; exit 2' });
const ORGANISATION = 'etc/hooks.json';
const POLICY = 'etc/policy.json';
const owner = process.getuid?.() ?? 0;

const managed = ({ root }: TestGround) => ({ folder: join(root, 'etc'), owner });
const open = (at: TestGround, options: Partial<Options> = {}) =>
  at.open({ managed: managed(at), ...options });
async function pushed(at: TestGround, options: Partial<Options> = {}) {
  const hooks = await open(at, options);
  const { proceed, verdict, reason } = await hooks.fire(shell('git push', { session: 's' }));
  return { proceed, verdict, reason };
}
const NEVER = { proceed: 'no', verdict: 'deny', reason: 'never' };
const PASSES = { proceed: 'yes', verdict: 'none', reason: '' };

describe('a hook of the organisation', () => {
  test('a managed hook refuses and is listed as managed; a folder elsewhere is not read', async () => {
    const at = ground({ [ORGANISATION]: REFUSES });
    expect(await pushed(at)).toEqual(NEVER);
    expect(
      (await open(at)).hooks
        .filter(({ origin }) => origin.file.endsWith('etc/hooks.json'))
        .map(({ origin }) => origin),
    ).toEqual([
      { layer: 'managed', file: join(at.root, ORGANISATION), line: 1, column: expect.any(Number) as number },
    ]);
    expect(await pushed(at, { managed: { folder: join(at.root, 'nowhere'), owner } })).toEqual(PASSES);
  });

  test('a module in the managed folder needs no trust', async () => {
    const at = ground({
      'etc/hooks/guard.mjs': `import { defineHook, deny } from 'anyhook';
        export default defineHook({ on: 'tool.before', match: 'shell', run: () => deny('never') });`,
    });
    expect(await pushed(at)).toEqual(NEVER);
  });

  test.each([
    ['"shadow" in the user’s file', { [USER]: { shadow: true, ...before({ run: 'true' }) } }, {}],
    ['a program that puts all in shadow', {}, { limits: { shadow: true } }],
    ['a program that reads the user’s layer only', {}, { settings: { layers: ['user'] as const } }],
    ['a program that reads another dialect only', {}, { settings: { dialects: ['goose'] } }],
    ['a program that leaves our dialect out', {}, { settings: { without: ['anyhook'] } }],
    ['a user’s hook that approves', { [USER]: before({ run: `printf '{"decision":"allow"}'` }) }, {}],
    [
      'a variable that names another folder',
      {},
      { env: { PATH: process.env['PATH'], XDG_CONFIG_DIRS: '/nowhere', ANYHOOK_MANAGED: '/nowhere' } },
    ],
  ])('a managed hook cannot be disabled by %s', async (_what, files, options) => {
    expect(await pushed(ground({ [ORGANISATION]: REFUSES, ...files }), options)).toEqual(NEVER);
  });

  test('a managed hook leaves the other files to a program that excludes some of ours', async () => {
    const at = ground({ [USER]: before({ match: 'shell(git push*)', run: 'echo mine >&2; exit 2' }) });
    const options = { settings: { without: ['anyhook@/elsewhere/'] } } as const;
    expect(await pushed(at, options)).toMatchObject({ proceed: 'no' });
  });

  test('a managed hook ignores "disabled" in the user’s file', async () => {
    const at = ground({ [ORGANISATION]: REFUSES });
    const { id } = (await open(at)).hooks.find(({ origin }) => origin.file.endsWith('etc/hooks.json'))!;
    at.put(USER, JSON.stringify({ disabled: [id] }));
    expect(await pushed(at)).toEqual(NEVER);
  });

  test('a managed hook runs while the user has paused hooks; the user’s own hooks do not', async () => {
    const at = ground({ [ORGANISATION]: REFUSES, [USER]: before({ match: 'shell(ls*)', run: 'exit 2' }) });
    const { data } = foldersOf(locationsOf({ home: at.home, cwd: at.cwd }));
    writePause(pauseFileIn(data), { sinceMs: Date.now() - 1_000, untilMs: Date.now() + 600_000 });
    expect(await pushed(at)).toEqual(NEVER);
    expect((await (await open(at)).fire(shell('ls'))).proceed).toBe('yes');
  });

  test('a managed hook runs before the user’s hooks of the same dialect', async () => {
    const at = ground({ [ORGANISATION]: before({ run: 'true' }), [USER]: before({ run: ':' }) });
    expect((await open(at)).hooks.map(({ origin }) => origin.layer)).toEqual([
      'managed', // the guard that we bring
      'managed',
      'user',
    ]);
  });

  test('an agent cannot change managed settings', async () => {
    const at = ground({ [ORGANISATION]: before({ match: 'shell(x)', run: 'true' }) });
    const hooks = await open(at);
    const paths = [join(at.root, POLICY), join(at.root, 'etc/hooks/new.mjs')];
    for (const path of paths) {
      const input = { path, content: '{}' };
      expect(await hooks.fire({ name: 'tool.before', payload: { tool: 'write', input } })).toMatchObject({
        proceed: 'no',
      });
    }
  });
});

describe('a managed folder that another user could change', () => {
  const LOOSE: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
    ['is writable by others', (folder) => chmodSync(folder, 0o777), /is writable by other users/],
    [
      'holds a file that is',
      (folder) => chmodSync(join(folder, 'hooks.json'), 0o666),
      /is writable by other users/,
    ],
    ['holds a link', (folder) => symlinkSync('/etc/passwd', join(folder, 'policy.json')), /is a link/],
  ];
  test.each(LOOSE)(
    'a managed folder that %s is not obeyed, and every call is refused until it is fixed',
    async (_, loosen, why) => {
      const at = ground({ [ORGANISATION]: before({ match: 'shell(git push*)', run: 'true' }) });
      expect(await pushed(at)).toEqual(PASSES);
      loosen(join(at.root, 'etc'));
      const hooks = await open(at);
      expect(hooks.problems.map(({ code, message }) => [code, why.test(message)])).toContainEqual([
        'not-managed',
        true,
      ]);
      const { proceed, reason } = await hooks.fire(shell('ls'));
      expect([proceed, why.test(reason)]).toEqual(['no', true]);
    },
  );

  test('an unsafe managed folder has no policy, so it cannot remove the user’s own guards', async () => {
    const at = ground({
      [POLICY]: { version: 1, user: 'none' },
      [USER]: { hooks: { 'prompt.submit': [{ run: 'echo mine >&2; exit 2' }] } },
    });
    const refusal = async () =>
      (await (await open(at)).fire({ name: 'prompt.submit', payload: { prompt: 'go' } })).reason;
    expect(await refusal()).toBe('');
    chmodSync(join(at.root, 'etc'), 0o777);
    expect(await refusal()).toBe('mine');
  });

  test('a managed folder owned by another user is refused', async () => {
    const at = ground({ [ORGANISATION]: REFUSES });
    const { proceed, reason } = await pushed(at, {
      managed: { folder: join(at.root, 'etc'), owner: owner + 1 },
    });
    expect([proceed, /belongs to the user/.test(reason)]).toEqual(['no', true]);
  });
});

describe('versions of a policy', () => {
  const CURRENT = 'etc/current';
  const both = {
    'etc/policies/1/policy.json': { version: 1 },
    'etc/policies/2/policy.json': { version: 2 },
    'etc/policies/2/hooks.json': REFUSES,
  };

  test('only the policy version that `current` names counts, with its hooks', async () => {
    const at = ground({ ...both, [CURRENT]: '2\n' });
    expect(await pushed(at)).toEqual(NEVER);
    expect((await open(at)).policy?.version).toBe(2);
    at.put(CURRENT, '1\n');
    expect(await pushed(at)).toEqual(PASSES);
    expect((await open(at)).policy?.version).toBe(1);
  });

  test('an open session switches to another policy version when it reloads', async () => {
    const at = ground({ ...both, [CURRENT]: '1\n' });
    const hooks = await open(at);
    at.put(CURRENT, '2\n');
    await hooks.reload();
    expect([hooks.policy?.version, (await hooks.fire(shell('git push'))).proceed]).toEqual([2, 'no']);
  });

  test.each([
    ['no version', '../../home\n'],
    ['a version that is not there', '3\n'],
    ['nothing', ''],
  ])('a `current` that names %s refuses every call', async (_, text) => {
    const at = ground({ ...both, [CURRENT]: text });
    const { proceed, reason } = await (await open(at)).fire(shell('ls'));
    expect([proceed, /does not exist, although/.test(reason)]).toEqual(['no', true]);
  });

  test('files beside the current policy version are not read, which is reported', async () => {
    const at = ground({ ...both, [CURRENT]: '1\n', [ORGANISATION]: REFUSES });
    const hooks = await open(at);
    expect((await hooks.fire(shell('git push'))).proceed).toBe('yes');
    expect(hooks.problems.map(({ code, file }) => [code, file])).toEqual([
      ['policy', join(at.root, ORGANISATION)],
    ]);
  });

  test('a policy version that others can write is refused only while it is current', async () => {
    const at = ground({ ...both, [CURRENT]: '1\n' });
    chmodSync(join(at.root, 'etc/policies/2/hooks.json'), 0o666);
    expect(await pushed(at)).toEqual(PASSES);
    at.put(CURRENT, '2\n');
    const { proceed, reason } = await pushed(at);
    expect([proceed, /is writable by other users/.test(reason)]).toEqual(['no', true]);
  });
});

describe('a policy', () => {
  const GUARD = before({ match: 'shell(git push*)', run: 'echo mine >&2; exit 2' });
  const opta = { hooks: [{ event: 'tool.pre', command: 'echo opta >&2; exit 2' }] };

  test.each([
    ['all', 'no', 0],
    ['none', 'yes', 1],
    [{ dialects: ['goose'] }, 'yes', 1],
    [{ dialects: ['anyhook'] }, 'no', 0],
  ] as const)(
    'a policy that counts %j of the user’s hooks turns a refusal among them into %s',
    async (user, proceed, said) => {
      const at = ground({ [POLICY]: { version: 1, user }, [USER]: GUARD });
      const hooks = await open(at);
      expect((await hooks.fire(shell('git push'))).proceed).toBe(proceed);
      expect(hooks.problems.filter(({ code }) => code === 'policy')).toHaveLength(said);
    },
  );

  test('a policy for one dialect excludes the others and reports how many', async () => {
    const at = ground({
      [POLICY]: { version: 7, user: { dialects: ['anyhook'] } },
      'home/.config/opta/config.json': opta,
    });
    const hooks = await open(at);
    expect(hooks.hooks.filter(({ dialect }) => dialect === 'opta')).toEqual([]);
    expect(hooks.problems).toEqual([
      {
        code: 'policy',
        file: join(at.root, POLICY),
        message:
          "one hook or module does not count here: version 7 of your organisation's policy excludes them.",
        remedy: 'The policy lists what runs under "user" and "project".',
        severity: 'warning',
      },
    ]);
  });

  test('a policy that lists project hooks by hash runs exactly that content without the user’s trust', async () => {
    const PROJECT = 'project/.anyhook/hooks.json';
    const at = ground({ [PROJECT]: GUARD });
    const hash = (await open(at)).examined[0]!.judgement.hash;
    at.put(POLICY, JSON.stringify({ version: 1, project: { hashes: [hash] } }));
    expect(await pushed(at)).toEqual({ proceed: 'no', verdict: 'deny', reason: 'mine' });
    at.put(POLICY, JSON.stringify({ version: 2, project: { hashes: [`sha256:${'0'.repeat(64)}`] } }));
    const hooks = await open(at, { trust: { hashes: [hash] } });
    expect(hooks.problems.map(({ code }) => code)).toEqual(['policy']);
    expect((await hooks.fire(shell('git push'))).verdict).not.toBe('deny');
  });

  test('a policy that requires the journal overrides a program that wants none', async () => {
    const at = ground({ [POLICY]: { version: 1, journal: 'required' }, [USER]: before({ run: 'true' }) });
    await (await open(at, { journal: false })).fire(shell('ls', { session: 's' }));
    expect(readdirSync(foldersOf(locationsOf({ home: at.home, cwd: at.cwd })).journal)).toEqual(['s.jsonl']);
  });

  test('a policy that sets folder and retention of the journal cannot be overridden by a program', async () => {
    const at = ground({ [ORGANISATION]: REFUSES });
    const folder = join(at.root, 'records');
    at.put(ORGANISATION, JSON.stringify({ ...REFUSES, journal: { folder } }));
    await (
      await open(at, { journal: { folder: join(at.root, 'elsewhere') } })
    ).fire(shell('ls', { session: 's' }));
    expect(readdirSync(folder)).toEqual(['s.jsonl']);
  });

  test('a policy in shadow mode refuses nothing, and its refusals are marked', async () => {
    const at = ground({ [ORGANISATION]: REFUSES, [POLICY]: { version: 1, shadow: true } });
    const outcome = await (await open(at)).fire(shell('git push'));
    expect([
      outcome.proceed,
      outcome.runs.flatMap(({ ignored = [] }) => ignored.map(({ why }) => why)),
    ]).toEqual(['yes', ['shadow']]);
  });

  const excepted = (over: object) => ({
    [ORGANISATION]: REFUSES,
    [POLICY]: {
      version: 1,
      exceptions: [
        { hook: 'no-push', user: userInfo().username, until: '2999-01-01', reason: 'release week', ...over },
      ],
    },
  });
  test('a policy exempts this user from a hook until a given day, with the reason in the record', async () => {
    const at = ground(excepted({}));
    const hooks = await open(at);
    expect((await hooks.fire(shell('git push'))).proceed).toBe('yes');
    expect(hooks.hooks.flatMap(({ exception }) => exception ?? [])).toEqual([
      `${userInfo().username}, until 2999-01-01: release week`,
    ]);
  });
  test('a policy exception names who granted it, if that is written', async () => {
    const at = ground(excepted({ by: 'carol' }));
    expect((await open(at)).hooks.flatMap(({ exception }) => exception ?? [])).toEqual([
      `${userInfo().username}, until 2999-01-01, by carol: release week`,
    ]);
  });
  test.each([
    ['somebody else', { user: 'somebody-else' }],
    ['another hook', { hook: 'other' }],
    ['a time that is over', { until: '2020-01-01' }],
  ])('a policy exception of %s changes nothing', async (_, over) => {
    expect(await pushed(ground(excepted(over)))).toEqual(NEVER);
  });

  test.each([
    ['is no JSON', '{ "version": 1, ', /./],
    ['has no version', '{}', /has no "version"/],
    ['has a key that nobody knows', '{ "version": 1, "users": "all" }', /unknown key "users"/],
    [
      'excepts without a reason',
      '{ "version": 1, "exceptions": [{ "hook": "a", "user": "b", "until": "2027-01-01" }] }',
      /has no "reason"/,
    ],
    [
      'excepts until no day',
      '{ "version": 1, "exceptions": [{ "hook": "a", "user": "b", "until": "2027-13-41", "reason": "c" }] }',
      /not a valid date/,
    ],
  ])('a policy that %s is a problem, and calls are refused until it is fixed', async (_, text, why) => {
    const at = ground({ [POLICY]: text });
    const hooks = await open(at);
    expect(hooks.problems.some(({ message, severity }) => severity === 'error' && why.test(message))).toBe(
      true,
    );
    expect((await hooks.fire(shell('ls'))).proceed).toBe('no');
  });
});
