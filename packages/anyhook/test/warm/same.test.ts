/** What an agent hears is the same, byte for byte, whether the engine answers or a program that lives for one event. */
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLine } from '../../src/agents/shared/command-line.ts';
import { endPause, pauseFileIn, writePause } from '../../src/settings/pause.ts';
import { CLI, WarmWorld } from './world.ts';

const world = new WarmWorld();
const { home, project } = world;
const HOOKS = {
  hooks: {
    'tool.before': [
      { name: 'refusal', match: 'shell(git push*)', run: 'echo "not today: ü" >&2; exit 2' },
      { name: 'rewrite', match: 'shell(rewrite*)', run: `echo '{"input":{"command":"echo rewritten"}}'` },
      { name: 'context', match: 'shell(context*)', run: `echo '{"context":"a word for the model"}'` },
      { name: 'question', match: 'shell(ask*)', run: `echo '{"decision":"ask","reason":"really?"}'` },
      { name: 'broken', match: 'shell(broken)', run: 'echo half an answer >&2; exit 7' },
      { name: 'broken, open', match: 'shell(broken-open)', run: 'exit 7', onFailure: 'allow' },
      { name: 'late', match: 'shell(late)', run: 'true', background: true },
      { name: 'script', match: 'shell(script)', run: join(world.root, 'script.sh') },
    ],
    'tool.after': [{ name: 'after', run: `echo '{"context":"seen"}'` }],
    'prompt.submit': [{ name: 'prompt', run: `echo '{"context":"be brief"}'` }],
    'turn.stop': [{ name: 'stop', run: 'true' }],
  },
};
const typescript = (match: string, reason: string) => `import { defineHook, deny } from 'anyhook';
import { word } from './lib/word.mjs';
const said: string = word;
export default defineHook({
  on: 'tool.before',
  match: 'shell(${match})',
  run: () => {
    console.log('printed by a module');
    return deny(\`${reason}, \${said}\`);
  },
});
`;
const settings = join(home, '.config/anyhook/hooks.json');

beforeAll(async () => {
  world.put('script.sh', '#!/bin/sh\necho "no by script" >&2\nexit 2\n');
  world.put('home/.config/anyhook/hooks.json', HOOKS);
  world.put('home/.config/anyhook/hooks/mine.ts', typescript('module*', 'no by module'));
  world.put('home/.config/anyhook/hooks/lib/word.mjs', `export const word = 'as imported';\n`);
  world.put(
    'home/.config/opencode/plugin/foreign.js',
    `export const Foreign = async () => ({
      'tool.execute.before': async ({ tool }, { args }) => {
        if (String(args.command).startsWith('foreign')) throw new Error('no by plugin');
      },
    });\n`,
  );
  world.put('project/.anyhook/hooks.json', {
    hooks: { 'tool.before': [{ match: 'shell(never)', run: 'exit 2' }] },
  });
  world.install('codex');
  world.install('claude-code');
  world.install('gemini-cli');
  world.install('goose');
  await world.warmUp(world.bash('git push'));
}, 120_000);
afterAll(() => world.close(), 30_000);

const COMMANDS = [
  'ls',
  'git push --force',
  'rewrite this',
  'context',
  'ask',
  'broken',
  'broken-open',
  'late',
  'script',
  'module',
  'foreign',
  'rm -rf ~/.config/anyhook',
  'never',
];

describe('an event of Codex', () => {
  test.each(COMMANDS)('that is about "%s"', async (command) => {
    const payload = world.bash(command);
    await world.line(payload); // what is said once in a session is said now
    expect(await world.warm(payload)).toEqual(await world.cold(payload));
  });

  test('the answers are not all the same one', async () => {
    const said = [];
    for (const command of ['ls', 'git push', 'rewrite', 'broken', 'module', 'foreign'])
      said.push(JSON.stringify(await world.warm(world.bash(command))));
    expect(new Set(said).size).toBe(6);
  });
});

describe('what is no event of an agent', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['an unknown event', '{"hook_event_name":"PreToolUs"}'],
    ['no name', '{}'],
  ])('%s', async (_, text) => {
    expect(await world.line(text)).toEqual(await world.cold(text));
  });

  test('a large payload is no different', async () => {
    const payload = { ...world.bash('git push'), padding: 'ü'.repeat(200_000) };
    expect(await world.warm(payload)).toEqual(await world.cold(payload));
  });
});

describe('a change on disk counts at the very next event of a new session, and refuses in a session that saw the guards before', () => {
  // Without it every start is half as long.
  beforeAll(() => rmSync(join(home, '.config/opencode'), { recursive: true, force: true }));

  let sessions = 0;
  /** A session is bound to its guards, so every test has sessions of its own. */
  const inNewSession = (command: string) => ({ ...world.bash(command), session_id: `new-${++sessions}` });

  /** Changed while the engine has it open: the answer is another one, at once. */
  async function changes(command: string, change: () => void, expected: string): Promise<void> {
    const bound = inNewSession(command);
    const before = await world.warmUp(bound);
    expect(before.stderr).not.toContain(expected);
    change();
    expect((await world.line(bound)).code).toBe(2);
    const { code, stderr } = await world.line(inNewSession(command));
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
  }
  /** The same, where nothing is refused any more. */
  async function frees(command: string, change: () => void): Promise<void> {
    expect((await world.warmUp(inNewSession(command))).code).toBe(2);
    change();
    expect((await world.line(inNewSession(command))).code).toBe(0);
  }
  const put = (reason: string, file = 'home/.config/anyhook/hooks/mine.ts') =>
    world.put(file, typescript('module*', reason));

  test('of settings', () =>
    changes(
      'git push',
      () => writeFileSync(settings, JSON.stringify(HOOKS).replace('not today', 'never again')),
      'never again',
    ));
  test('of a script that a hook starts', () =>
    changes(
      'script',
      () => world.put('script.sh', '#!/bin/sh\necho "another no" >&2\nexit 2\n'),
      'another no',
    ));
  test('of a module', () => changes('module', () => put('changed module'), 'changed module'));
  test('of a file that a module imports', () =>
    changes(
      'module',
      () => world.put('home/.config/anyhook/hooks/lib/word.mjs', `export const word = 'as changed';\n`),
      'as changed',
    ));
  test('of where a link leads, and of what is there', async () => {
    const other = put('no by link', 'elsewhere/mine.ts');
    world.put('elsewhere/lib/word.mjs', `export const word = 'elsewhere';\n`);
    await changes(
      'module',
      () => {
        rmSync(join(home, '.config/anyhook/hooks/mine.ts'));
        symlinkSync(other, join(home, '.config/anyhook/hooks/mine.ts'));
      },
      'no by link',
    );
    await changes('module', () => put('no by what it leads to', 'elsewhere/mine.ts'), 'what it leads to');
  });
  test('of a module that goes', () =>
    frees('module', () => rmSync(join(home, '.config/anyhook/hooks'), { recursive: true })));
  test('of the pause, and of its end', async () => {
    const pauseFile = pauseFileIn(join(home, '.config/anyhook/trust'));
    const untilMs = Date.now() + 600_000;
    await frees('git push', () => writePause(pauseFile, { sinceMs: Date.now(), untilMs }));
    endPause(pauseFile);
    expect((await world.line(world.bash('git push'))).code).toBe(2);
  });
  test('of trust, given and taken', async () => {
    const guard = {
      hooks: { 'tool.before': [{ match: 'shell(never)', run: 'echo no by project >&2; exit 2' }] },
    };
    world.put('project/.anyhook/hooks.json', guard);
    const { stdout } = await world.run([process.execPath, CLI, 'list', '--json']);
    const [hash] = /sha256:[0-9a-f]{64}/.exec(stdout) ?? [];
    const trusting = JSON.stringify({ ...HOOKS, trusted: [hash] });
    await changes('never', () => writeFileSync(settings, trusting), 'no by project');
    const before = await world.warmUp(inNewSession('never'));
    writeFileSync(settings, JSON.stringify(HOOKS));
    // A trusted guard that is not trusted any more leaves a refusal of its own.
    expect(await world.line(inNewSession('never'))).not.toEqual(before);
  });
}, 180_000);

/** As recorded from the real agents, in this project and one session. */
function recorded(agent: string): [string, object][] {
  const folder = new URL(`../../src/dialects/${agent}/fixtures/recorded/`, import.meta.url).pathname;
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('_'));
  return names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
      .replaceAll('<cwd>', project)
      .replaceAll('<home>', home);
    return [name, { ...(JSON.parse(text) as object), session_id: 's1' }];
  });
}

describe.each(['claude-code', 'codex', 'gemini-cli'] as const)('recorded events of %s', (agent) => {
  // What is about modules was said above; without them a fresh program starts in a tenth of the time.
  beforeAll(() => {
    for (const folder of ['.config/anyhook/hooks', '.config/opencode'])
      rmSync(join(home, folder), { recursive: true, force: true });
  });

  test('all of them', async () => {
    const events = recorded(agent);
    expect(events.length).toBeGreaterThan(5);
    await world.warmUp(events[0]![1], agent);
    for (const [name, payload] of events)
      expect([name, await world.warmUp(payload, agent, openLine)]).toEqual([
        name,
        await world.cold(payload, agent, openLine),
      ]);
  }, 300_000);
});
