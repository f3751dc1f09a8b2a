/** Refusals that stay: what repeats a refused call, what does not, and when a refusal ends. */

import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ApprovalStore } from '../approvals/store.ts';
import { deny } from '../events/effects.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { defineHook, type Hooks, type Options } from '../index.ts';
import { endPause, pauseFileIn, writePause } from '../settings/pause.ts';
import { before, ground, host, type TestGround, USER } from './fixtures/ground.ts';

/** A program that looks for a text in what it is given, as many published hooks do. */
const grepping = (text: string, more: object = {}) => ({
  name: 'no-rm',
  run: `if grep -q -- '${text}'; then echo 'keep the build' >&2; exit 2; fi`,
  ...more,
});
const NO_RM = before(grepping('"command":"rm -rf'));
const RM = 'rm -rf build';

const fire = (hooks: Hooks, tool: string, input: object, ids: object = {}) =>
  hooks.fire({
    name: 'tool.before',
    payload: { tool, input: input as Record<string, unknown> },
    ids: { session: 's', ...ids },
  });
const run = (hooks: Hooks, command: string, ids: object = {}) => fire(hooks, 'shell', { command }, ids);
const verdicts = async (hooks: Hooks, ...commands: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const command of commands) found.push((await run(hooks, command)).verdict);
  return found;
};
const journalOf = ({ home }: TestGround): string => {
  const folder = join(home, '.local/state/anyhook/journal');
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.jsonl'))!,
  );
};
const refused = async (settings: object = NO_RM, options: Partial<Options> = {}, command = RM) => {
  const at = ground({ [USER]: settings });
  const hooks = await at.open(options);
  expect((await run(hooks, command)).verdict).toBe('deny');
  return { at, hooks };
};

describe.each([
  ['with a journal', {}],
  ['without a journal', { journal: false }],
] as const)('a refusal %s', (_, options) => {
  test('a call that does the same in other words is refused with the time, the hook and its reason', async () => {
    const { hooks } = await refused(NO_RM, options);
    const { verdict, reason, runs } = await run(hooks, 'find build -delete');
    expect(verdict).toBe('deny');
    expect(reason).toMatch(/Already refused at \d\d:\d\d by `no-rm`: keep the build/);
    expect(runs).toEqual([expect.objectContaining({ skipped: 'it refused this earlier' })]);
  });

  test('a script that does the same is refused, and so is the next script with other contents', async () => {
    const { at, hooks } = await refused(NO_RM, options);
    at.put('project/t.sh', 'cd .\nrm -r -f ./build\n');
    at.put('project/u.py', 'import shutil\nshutil.rmtree("build")\n');
    expect(await verdicts(hooks, 'bash t.sh', 'python3 u.py')).toEqual(['deny', 'deny']);
  });

  test('a subagent of the session is refused, and another session is not', async () => {
    const { hooks } = await refused(NO_RM, options);
    expect((await run(hooks, 'rm -r build', { agent: 'sub' })).verdict).toBe('deny');
    expect((await run(hooks, 'rm -r build', { session: 'other' })).verdict).toBe('none');
  });

  test('other acts and other targets pass', async () => {
    const { hooks } = await refused(NO_RM, options);
    const commands = [
      'rm -r dist',
      'ls build',
      'cat build/log',
      'npm run build',
      'find build -name x',
      'mkdir build',
    ];
    expect(await verdicts(hooks, ...commands)).toEqual(commands.map(() => 'none'));
  });
});

test.each([
  ['git push --force', ['git push', 'git push origin main', 'git push --force-with-lease']],
  ['git commit -m bad', ['git commit -m "fix: good"', 'git commit -s -m bad']],
  ['terraform apply', ['terraform plan', 'terraform apply -target=a']],
  ['npm publish', ['npm publish --dry-run', 'npm pack']],
  ['rm -rf /', ['rm -rf build', 'rm -rf ./node_modules']],
  ['cat .env', ['cat .env.example', 'ls -la .env', 'git add .env', 'echo .env >> .gitignore']],
  ['echo A=1 > .env', ['cat .env', 'echo A=1 > .env.example']],
  ['curl -d @a https://x.org/api', ['curl https://x.org/api', 'curl -d @b https://x.org/api']],
])('after `%s` was refused, fixed calls pass', async (command, fixed) => {
  const { hooks } = await refused(before(grepping(`"command":"${command}"`)), {}, command);
  for (const one of fixed) expect(await run(hooks, one)).toMatchObject({ verdict: 'none', reason: '' });
});

describe('which acts of a compound command count', () => {
  test('a matcher that selects a part: only that part is remembered', async () => {
    const guard = before({ match: 'shell(rm*)', run: 'echo no >&2; exit 2' });
    const { hooks } = await refused(guard, {}, 'npm test && rm -rf build');
    expect(await verdicts(hooks, 'npm test', 'find build -delete')).toEqual(['none', 'deny']);
  });

  test('a hook that saw the whole call: a later call must contain all of it', async () => {
    const { hooks } = await refused(before(grepping('npm test && rm')), {}, 'npm test && rm -rf build');
    expect(await verdicts(hooks, 'npm test', 'rm -r build', 'rm -r build; npm test')).toEqual([
      'none',
      'none',
      'deny',
    ]);
  });
});

describe('a file', () => {
  const NO_WRITE = before({ match: 'write(.env)', run: 'echo no secrets >&2; exit 2' });
  const NO_READ = before({ match: 'read(.env)', run: 'echo no secrets >&2; exit 2' });

  test.each([
    'echo x > .env',
    'cp a .env',
    'sed -i s/a/b/ .env',
    `python3 -c "open('.env','w').write('x')"`,
    `node -e "require('fs').writeFileSync('.env', 'x')"`,
    'cd sub && echo x > ../.env',
  ])('a refused write cannot be done by `%s`', async (command) => {
    const hooks = await ground({ [USER]: NO_WRITE }).open();
    await fire(hooks, 'write', { path: '.env', content: 'x' });
    expect((await run(hooks, command)).reason).toContain('no secrets');
    expect((await run(hooks, command.replaceAll('.env', '.env.example'))).verdict).toBe('none');
  });

  test('a refused write cannot be done by another tool, or through a link', async () => {
    const at = ground({ [USER]: NO_WRITE, 'project/.env': 'A=1' });
    const hooks = await at.open();
    await fire(hooks, 'write', { path: '.env', content: 'x' });
    symlinkSync('.env', join(at.cwd, 'link'));
    const patch = '*** Begin Patch\n*** Update File: .env\n@@\n-A=1\n+A=2\n*** End Patch';
    const later = [
      await fire(hooks, 'edit', { path: join(at.cwd, '.env'), old: 'A', new: 'B' }),
      await fire(hooks, 'patch', { patch }),
      await fire(hooks, 'write', { path: 'link', content: 'x' }),
    ];
    expect(later.map(({ verdict }) => verdict)).toEqual(['deny', 'deny', 'ask']);
  });

  test.each([
    'cat .env',
    'base64 < .env',
    'grep -h . .env',
    `python3 -c "print(open('.env').read())"`,
    'cp .env /tmp/x',
    'cat .e*',
  ])('a refused read cannot be done by `%s`', async (command) => {
    const hooks = await ground({ [USER]: NO_READ, 'project/.env': 'A=1' }).open();
    await fire(hooks, 'read', { path: '.env' });
    expect((await run(hooks, command)).verdict).toBe('deny');
  });
});

test('an MCP call with its arguments in another order is the same call', async () => {
  const guard = before({ match: 'mcp__db__drop', ...grepping('"table": *"a"') });
  const hooks = await ground({ [USER]: guard }).open();
  await fire(hooks, 'mcp__db__drop', { table: 'a', force: true });
  const later = [
    await fire(hooks, 'mcp__db__drop', { force: true, table: 'a' }),
    await fire(hooks, 'mcp__db__drop', { force: true, table: 'b' }),
  ];
  expect(later.map(({ verdict }) => verdict)).toEqual(['deny', 'none']);
  expect(later[0]!.reason).toContain('keep');
});

describe('a newer answer', () => {
  /** Refuses unless a file is there, as a check before a commit does. */
  const CHECK = before({
    name: 'checked',
    run: `if grep -q 'git commit'; then test -e ok || { echo 'run the checks' >&2; exit 2; }; fi`,
    cwd: '.',
  });

  test('a program that lets the refused call pass by now ends its refusal', async () => {
    const { at, hooks } = await refused(CHECK, {}, 'git commit -m x');
    at.put('project/c.sh', 'git commit -m x\n');
    expect(await verdicts(hooks, 'bash c.sh')).toEqual(['deny']);
    at.put('project/ok', '');
    expect(await verdicts(hooks, 'bash c.sh')).toEqual(['none']);
    rmSync(join(at.cwd, 'ok'));
    expect(await verdicts(hooks, 'bash c.sh')).toEqual(['none']);
  });

  test('exactly the refused call is judged by the hook, and ends the refusal if it passes', async () => {
    const { at, hooks } = await refused(CHECK, {}, 'git commit -m x');
    expect((await run(hooks, 'git commit -m x')).reason).not.toContain('Already');
    at.put('project/ok', '');
    expect(await verdicts(hooks, 'git commit -m x')).toEqual(['none']);
    rmSync(join(at.cwd, 'ok'));
    at.put('project/c.sh', 'git commit -m x\n');
    expect(await verdicts(hooks, 'bash c.sh')).toEqual(['none']);
  });

  test('a program that breaks gives no newer answer', async () => {
    const guard = before({
      ...grepping('"command":"rm -rf'),
      run: `test -e broken && exit 1; ${grepping('rm -rf').run}`,
      onFailure: 'allow',
      cwd: '.',
    });
    const { at, hooks } = await refused(guard);
    at.put('project/broken', '');
    expect(await verdicts(hooks, 'rm -r build')).toEqual(['deny']);
  });

  test.each<readonly [string, object]>([
    ['removed', before({ name: 'another', run: 'true' })],
    ['in shadow', before(grepping('"command":"rm -rf', { shadow: true }))],
    ['with "sticky": false', before(grepping('"command":"rm -rf', { sticky: false }))],
    ['that matches other tools by now', before(grepping('"command":"rm -rf', { match: 'write' }))],
    ['in settings with "sticky": false', { sticky: false, ...NO_RM }],
  ])('a hook %s leaves no refusal', async (_, settings) => {
    const { at } = await refused();
    writeFileSync(join(at.root, USER), JSON.stringify(settings));
    expect(await verdicts(await at.open(), 'rm -r build')).toEqual(['none']);
  });

  test('while hooks are paused, nothing is refused from memory', async () => {
    const { at } = await refused();
    const file = pauseFileIn(foldersOf(locationsOf({ cwd: at.cwd, home: at.home })).data);
    writePause(file, { sinceMs: Date.now() - 1_000, untilMs: Date.now() + 600_000 });
    expect(await verdicts(await at.open(), 'rm -r build')).toEqual(['none']);
    endPause(file);
    expect(await verdicts(await at.open(), 'rm -r build')).toEqual(['deny']);
  });
});

describe('what is not remembered', () => {
  test.each<readonly [string, object]>([
    ['"sticky": false on the entry', before(grepping('"command":"rm -rf', { sticky: false }))],
    ['"sticky": false in the settings', { sticky: false, ...NO_RM }],
    ['a hook that failed', before({ match: 'shell(rm -rf*)', run: 'exit 7' })],
    ['a rule over time', before({ match: 'shell(rm -rf*)', limit: { times: 0 } })],
  ])('%s', async (_, settings) => {
    const { hooks } = await refused(settings);
    expect(await verdicts(hooks, 'find build -delete')).toEqual(['none']);
  });

  test('the user cannot switch off the memory of a hook of the organisation', async () => {
    const at = ground({ [USER]: { sticky: false }, 'etc/hooks.json': NO_RM });
    const hooks = await at.open({ managed: { folder: join(at.root, 'etc'), owner: userInfo().uid } });
    expect(await verdicts(hooks, RM, 'rm -r build')).toEqual(['deny', 'deny']);
  });

  test('a hook of a program with sticky: false', async () => {
    const hook = defineHook({
      on: 'tool.before',
      sticky: false,
      run: ({ payload: { input } }) =>
        String(input['command']).startsWith('rm -rf') ? deny('no') : undefined,
    });
    const hooks = await ground().open({ hooks: [hook] });
    expect(await verdicts(hooks, RM, 'rm -r build')).toEqual(['deny', 'none']);
  });

  test('a project cannot switch off the memory of the user', async () => {
    const at = ground({ [USER]: NO_RM, 'project/.anyhook/hooks.json': { sticky: false } });
    const hooks = await at.open();
    expect(hooks.problems.map(({ key }) => key)).toContain('sticky');
    expect(await verdicts(hooks, RM, 'rm -r build')).toEqual(['deny', 'deny']);
  });
});

test('a refusal by another hook of a call that was refused before is remembered, too', async () => {
  const two = before(
    { ...grepping('"command":"rm -rf'), run: `test -e off && exit 0; ${grepping('rm -rf').run}`, cwd: '.' },
    {
      name: 'second',
      match: 'shell(rm -rf*)',
      run: 'test -e off || exit 0; echo second >&2; exit 2',
      cwd: '.',
    },
  );
  const { at, hooks } = await refused(two);
  at.put('project/off', '');
  expect((await run(hooks, RM)).reason).toContain('second');
  expect((await run(hooks, 'rm -r build')).reason).toMatch(/by `second`/);
});

describe('the fourth attempt', () => {
  const TRIES = [
    'rm -r build',
    'find build -delete',
    'python3 -c "import shutil; shutil.rmtree(\'build\')"',
    'sudo rm -fr build',
  ];

  test('the user is asked where the agent can ask, and the question says how often it was refused', async () => {
    const { hooks } = await refused();
    expect(await verdicts(hooks, ...TRIES.slice(0, 2))).toEqual(['deny', 'deny']);
    const { verdict, reason } = await run(hooks, TRIES[2]!, { call: 'c' });
    expect([verdict, reason]).toEqual([
      'ask',
      expect.stringMatching(/Already refused 3 times since .* by `no-rm`/),
    ]);
  });

  test('a call that ran after the question ends the refusal', async () => {
    const { hooks } = await refused(
      before(grepping('"command":"rm -rf'), { match: 'none', limit: { times: 9 } }),
    );
    for (const command of TRIES.slice(0, 2)) await run(hooks, command);
    await run(hooks, TRIES[2]!, { call: 'c' });
    const payload = { tool: 'shell', input: { command: TRIES[2]! }, content: [], isError: false };
    await hooks.fire({ name: 'tool.after', payload, ids: { session: 's', call: 'c' } });
    expect(await verdicts(hooks, TRIES[3]!)).toEqual(['none']);
  });

  test('other hooks judge before the user is asked', async () => {
    const { hooks } = await refused(
      before(grepping('"command":"rm -rf'), {
        name: 'no-python',
        match: 'shell(python3*)',
        run: 'echo no python >&2; exit 2',
      }),
    );
    for (const command of TRIES.slice(0, 2)) await run(hooks, command);
    expect((await run(hooks, TRIES[2]!)).reason).toContain('no python');
  });

  test.each<readonly [string, object, string, boolean]>([
    ['halts the turn', { deny: 'full', halt: 'full' }, 'deny', true],
    ['refuses again', { deny: 'full' }, 'deny', false],
  ])('an agent that cannot ask %s', async (_, can, verdict, halts) => {
    const { hooks } = await refused(NO_RM, {
      host: { ...host, can: { 'tool.before': can } } as Options['host'],
    });
    await verdicts(hooks, ...TRIES.slice(0, 2));
    const outcome = await run(hooks, TRIES[2]!);
    expect([outcome.verdict, 'halt' in outcome.flow]).toEqual([verdict, halts]);
  });
});

describe('answers of the user', () => {
  const ASKS = {
    approvals: { mode: 'always', waitUnseen: true, waitSeconds: 20 },
    ...before({
      name: 'asks',
      run: `if grep -q '"command":"rm -rf'; then echo '{"decision":"ask","reason":"a person decides"}'; fi`,
    }),
  };
  /** Gives the user's answer to every question, until it is stopped. */
  function user(at: TestGround, kind: 'refuse' | 'once') {
    const store = new ApprovalStore(foldersOf(locationsOf({ cwd: at.cwd, home: at.home })).approvals);
    const asked = new Set<string>();
    const timer = setInterval(() => {
      for (const { hash, reasons } of store.list()) {
        for (const { text } of reasons) asked.add(text);
        store.give({ hash, kind, answeredAt: new Date().toISOString(), where: 'test', who: 'ana' });
      }
    }, 20);
    return { asked, stop: () => clearInterval(timer) };
  }

  test('a call that the user refused is refused in other words without another question', async () => {
    const at = ground({ [USER]: ASKS });
    const hooks = await at.open({ approvals: true });
    const ana = user(at, 'refuse');
    expect((await run(hooks, RM)).verdict).toBe('deny');
    ana.stop();
    expect((await run(hooks, 'find build -delete')).reason).toMatch(/Already refused at .* by the user/);
    expect([...ana.asked]).toEqual(['a person decides']);
  });

  test('an approval of the fourth attempt ends the refusal', async () => {
    const at = ground({ [USER]: { ...ASKS, ...NO_RM } });
    const hooks = await at.open({ approvals: true });
    expect(await verdicts(hooks, RM, 'rm -r build', 'find build -delete')).toEqual(['deny', 'deny', 'deny']);
    const ana = user(at, 'once');
    expect((await run(hooks, 'sudo rm -r build')).allowed).toBe(true);
    ana.stop();
    expect([...ana.asked]).toEqual([expect.stringContaining('Already refused 3 times')]);
    expect(await verdicts(hooks, 'unlink build')).toEqual(['none']);
  });
});

describe('the memory', () => {
  test('survives a restart, and two programs of one session share it', async () => {
    const { at } = await refused();
    expect(await verdicts(await at.open(), 'rm -r build')).toEqual(['deny']);
    const files = { sessionStore: 'file' } as const;
    const [one, other] = [await at.open(files), await at.open(files)];
    expect([...(await verdicts(one, 'rm -rf dist')), ...(await verdicts(other, 'rm -r dist'))]).toEqual([
      'deny',
      'deny',
    ]);
  });

  test('without a journal it ends with the process', async () => {
    const { at } = await refused(NO_RM, { journal: false });
    expect(await verdicts(await at.open({ journal: false }), 'rm -r build')).toEqual(['none']);
  });

  test.each<readonly [string, (file: string) => void]>([
    ['changed', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"delete ', '"deletf '))],
    [
      'cut in the middle',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"sticky":{', '"sticky":')),
    ],
    ['removed', (file) => rmSync(file)],
    [
      'replaced by a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ])(
    'if the record of a refusal was %s, hooks judge again, and the outcome says so',
    async (what, damage) => {
      const { at, hooks } = await refused();
      await run(hooks, 'rm -r build');
      damage(journalOf(at));
      for (const one of [hooks, await at.open()]) {
        const { verdict, lost } = await run(one, 'rm -r build');
        if (one === hooks && !/removed|replaced/.test(what)) continue; // it has read the record before
        expect([verdict, lost]).toEqual(['none', [expect.stringContaining('hooks judge again')]]);
        expect((await run(one, RM)).verdict).toBe('deny');
      }
    },
  );

  test('damage in other records does not end the memory', async () => {
    const { at, hooks } = await refused();
    appendFileSync(journalOf(at), 'garbage\n');
    expect([await verdicts(hooks, 'rm -r build'), await verdicts(await at.open(), 'rm -r build')]).toEqual([
      ['deny'],
      ['deny'],
    ]);
  });

  test('two agents in one project, and interleaved subagents, keep to their sessions', async () => {
    const at = ground({ [USER]: NO_RM });
    const [one, other] = [await at.open(), await at.open({ host: { ...host, name: 'other' } })];
    await run(one, 'ls', { agent: 'a' });
    await run(one, RM, { agent: 'b' });
    await run(other, 'ls', { session: 'other' });
    expect((await run(one, 'rm -r build', { agent: 'a' })).verdict).toBe('deny');
    expect((await run(other, 'rm -r build', { session: 'other' })).verdict).toBe('none');
  });

  test('a forked session with a new id starts without one', async () => {
    const { hooks } = await refused();
    expect((await run(hooks, 'rm -r build', { session: 'fork' })).verdict).toBe('none');
  });

  test('the record names what is remembered', async () => {
    const { at } = await refused();
    const record = JSON.parse(readFileSync(journalOf(at), 'utf8').split('\n')[0]!) as { sticky: object };
    expect(record.sticky).toMatchObject({ kind: 'remembered', acts: [`delete ${at.cwd}/build`] });
  });
});
