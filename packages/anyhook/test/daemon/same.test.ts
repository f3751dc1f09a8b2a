/** The daemon and a direct run give the agent the same answer, byte for byte. */

import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endPause, pauseFileIn, writePause } from '../../src/settings/pause.ts';
import { CLI, DaemonWorld } from './world.ts';

const world = new DaemonWorld();
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
  test.each(COMMANDS)('the daemon answers the Codex event "%s" as a direct run does', async (command) => {
    const payload = world.bash(command);
    await world.line(payload); // Trigger notices that a session reports only once.
    const events = await world.answered();
    const answer = await world.line(payload);
    expect(await world.answered()).toBe(events + 1);
    expect(answer).toEqual(await world.direct(payload));
  });

  test('different commands get different answers', async () => {
    const answers = [];
    for (const command of ['ls', 'git push', 'rewrite', 'broken', 'module', 'foreign'])
      answers.push(JSON.stringify(await world.line(world.bash(command))));
    expect(new Set(answers).size).toBe(6);
  });
});

describe('a payload that is no event', () => {
  test.each([
    ['nothing', ''],
    ['broken JSON', '{'],
    ['a list', '[]'],
    ['an unknown event', '{"hook_event_name":"PreToolUs"}'],
    ['an event without a name', '{}'],
  ])('%s as payload is refused with the message of a direct run', async (_, text) => {
    const direct = await world.direct(text);
    expect(direct).toMatchObject({ code: 64, stdout: '' });
    const { code, stdout, stderr } = await world.line(text);
    expect([code, stdout, stderr.startsWith(direct.stderr)]).toEqual([2, '', true]);
  });

  test('a payload of 200 KB is answered like a small one', async () => {
    const payload = { ...world.bash('git push'), padding: 'ü'.repeat(200_000) };
    expect(await world.line(payload)).toEqual(await world.direct(payload));
  });
});

describe('a change on disk', () => {
  beforeAll(() => rmSync(join(home, '.config/opencode'), { recursive: true, force: true }));

  let sessions = 0;
  /** A session pins its guards, so each test starts its own sessions. */
  const inNewSession = (command: string) => ({ ...world.bash(command), session_id: `new-${++sessions}` });

  /** The change applies at the next event of a new session, and a session that pinned the old guards refuses. */
  async function changes(command: string, change: () => void, expected: string): Promise<void> {
    const bound = inNewSession(command);
    const before = await world.line(bound);
    expect(before.stderr).not.toContain(expected);
    change();
    expect((await world.line(bound)).code).toBe(2);
    const { code, stderr } = await world.line(inNewSession(command));
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
  }
  /** The change applies at the next event of a new session, which is no longer refused. */
  async function frees(command: string, change: () => void): Promise<void> {
    expect((await world.line(inNewSession(command))).code).toBe(2);
    change();
    expect((await world.line(inNewSession(command))).code).toBe(0);
  }
  const put = (reason: string, file = 'home/.config/anyhook/hooks/mine.ts') =>
    world.put(file, typescript('module*', reason));

  test('a change to the settings applies', () =>
    changes(
      'git push',
      () => writeFileSync(settings, JSON.stringify(HOOKS).replace('not today', 'never again')),
      'never again',
    ));
  test('a change to a script that a hook starts applies', () =>
    changes(
      'script',
      () => world.put('script.sh', '#!/bin/sh\necho "another no" >&2\nexit 2\n'),
      'another no',
    ));
  test('a change to a module applies', () =>
    changes('module', () => put('changed module'), 'changed module'));
  test('a change to a file that a module imports applies', () =>
    changes(
      'module',
      () => world.put('home/.config/anyhook/hooks/lib/word.mjs', `export const word = 'as changed';\n`),
      'as changed',
    ));
  test('a change to a symbolic link, or to its target, applies', async () => {
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
  test('removing a module applies', () =>
    frees('module', () => rmSync(join(home, '.config/anyhook/hooks'), { recursive: true })));
  test('starting or ending a pause applies', async () => {
    const pauseFile = pauseFileIn(join(home, '.local/share/anyhook'));
    const untilMs = Date.now() + 600_000;
    await frees('git push', () => writePause(pauseFile, { sinceMs: Date.now(), untilMs }));
    endPause(pauseFile);
    expect((await world.line(world.bash('git push'))).code).toBe(2);
  });
  test('granting or revoking trust applies', async () => {
    const guard = {
      hooks: { 'tool.before': [{ match: 'shell(never)', run: 'echo no by project >&2; exit 2' }] },
    };
    world.put('project/.anyhook/hooks.json', guard);
    const { stdout } = await world.run([process.execPath, CLI, 'list', '--json']);
    const [hash] = /sha256:[0-9a-f]{64}/.exec(stdout) ?? [];
    const trusting = JSON.stringify({ ...HOOKS, trusted: [hash] });
    await changes('never', () => writeFileSync(settings, trusting), 'no by project');
    const before = await world.line(inNewSession('never'));
    writeFileSync(settings, JSON.stringify(HOOKS));
    // A guard that lost its trust causes a refusal of its own.
    expect(await world.line(inNewSession('never'))).not.toEqual(before);
  });
}, 180_000);

/** Recorded events of a real agent, moved to this project and one session. */
function recorded(agent: string): [string, object][] {
  const folder = new URL(`../../src/agents/${agent}/dialect/fixtures/recorded/`, import.meta.url).pathname;
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('_'));
  return names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
      .replaceAll('<cwd>', project)
      .replaceAll('<home>', home);
    return [name, { ...(JSON.parse(text) as object), session_id: 's1' }];
  });
}

describe.each(['claude-code', 'codex', 'gemini-cli'] as const)('recorded events of %s', (agent) => {
  beforeAll(() => {
    for (const folder of ['.config/anyhook/hooks', '.config/opencode'])
      rmSync(join(home, folder), { recursive: true, force: true });
  });

  test(`the daemon answers all recorded events of ${agent} as a direct run does`, async () => {
    const events = recorded(agent);
    expect(events.length).toBeGreaterThan(5);
    await world.line(events[0]![1], { agent });
    for (const [name, payload] of events)
      expect([name, await world.line(payload, { agent, isClosed: false })]).toEqual([
        name,
        await world.direct(payload, agent),
      ]);
  }, 300_000);
});
