/** What an agent hears is the same, byte for byte, whether the engine answers or a program that lives for one event. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLine } from '../../src/agents/shared/command-line.ts';
import { endPause, pauseFileIn, writePause } from '../../src/settings/pause.ts';
import { WarmWorld } from './world.ts';

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
    expect(await world.warm(payload)).toEqual(await world.cold(payload));
  });

  test('the answers are not all the same one', async () => {
    const said = [];
    for (const command of ['ls', 'git push', 'rewrite', 'broken', 'module', 'foreign'])
      said.push((await world.warm(world.bash(command))).stdout);
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

describe('a change on disk counts at the very next event', () => {
  const next = async (command: string) => {
    const payload = world.bash(command);
    return { now: await world.line(payload), cold: await world.cold(payload) };
  };
  /** Changed while the engine has it open; then the answer is another one, at once. */
  async function changes(command: string, change: () => void): Promise<void> {
    await world.warmUp(world.bash(command));
    const before = await world.warm(world.bash(command));
    change();
    const { now, cold } = await next(command);
    expect(now).toEqual(cold);
    expect(now).not.toEqual(before);
  }

  test('of settings', () =>
    changes('git push', () =>
      writeFileSync(settings, JSON.stringify(HOOKS).replace('not today', 'never again')),
    ));
  test('of a script that a hook starts', () =>
    changes('script', () => world.put('script.sh', '#!/bin/sh\necho "another no" >&2\nexit 2\n')));
  test('of a module', () =>
    changes('module', () =>
      world.put('home/.config/anyhook/hooks/mine.ts', typescript('module*', 'another no')),
    ));
  test('of a file that a module imports', () =>
    changes('module', () =>
      world.put('home/.config/anyhook/hooks/lib/word.mjs', `export const word = 'as changed';\n`),
    ));
  test('of where a link leads', async () => {
    const other = world.put('elsewhere/mine.ts', typescript('module*', 'no by link'));
    await changes('module', () => {
      rmSync(join(home, '.config/anyhook/hooks/mine.ts'));
      symlinkSync(other, join(home, '.config/anyhook/hooks/mine.ts'));
    });
    await changes('module', () => writeFileSync(other, typescript('module*', 'no by what it leads to')));
  });
  test('of a hook that comes, and goes', async () => {
    mkdirSync(join(home, '.config/anyhook/hooks'), { recursive: true });
    const file = join(home, '.config/anyhook/hooks/new.ts');
    await changes('new', () => writeFileSync(file, typescript('new', 'no by a new one')));
    await changes('new', () => rmSync(file));
  });
  test('of the pause', async () => {
    const pauseFile = pauseFileIn(join(home, '.config/anyhook/trust'));
    await changes('git push', () =>
      writePause(pauseFile, { sinceMs: Date.now(), untilMs: Date.now() + 60_000 }),
    );
    await changes('git push', () => endPause(pauseFile));
  });
});

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
      expect([name, await world.warm(payload, agent, openLine)]).toEqual([
        name,
        await world.cold(payload, agent, openLine),
      ]);
  }, 300_000);
});
