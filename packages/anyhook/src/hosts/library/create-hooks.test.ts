import { mkdirSync, mkdtempSync, rmSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { allow, createHooks, context, defineHook, deny, type Options, set } from '../../index.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function ground(files: Record<string, string> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-'));
  made.push(root);
  const [home, cwd] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(home);
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
  }
  return { home, cwd, root };
}
const host = { name: 'test', can: 'everything' } as const;
const shell = (command: string) =>
  ({ name: 'tool.before', payload: { tool: 'shell', input: { command } } }) as const;
const open = (options: Omit<Options, 'host'>) => createHooks({ host, ...options });

describe('createHooks', () => {
  test('without hooks answers nothing, listens to nothing and touches no disk', async () => {
    const { home, cwd } = ground();
    const hooks = await open({ home, cwd });
    expect(hooks.wants['tool.before']).toBe(false);
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.payload, outcome.runs]).toEqual(['none', shell('ls').payload, []]);
    expect([readdirSync(home), readdirSync(cwd)]).toEqual([[], []]);
    await hooks.close();
  });

  test('asks a hook of the program, and what it changes is what shall run', async () => {
    const { home, cwd } = ground();
    const hooks = await open({
      home,
      cwd,
      journal: false,
      hooks: [
        defineHook({ on: 'tool.before', match: 'shell', run: () => set('input', 'command', 'ls -l') }),
        defineHook({ on: 'tool.before', match: 'read', run: () => deny('no reading') }),
      ],
    });
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.payload['input']]).toEqual(['none', { command: 'ls -l' }]);
    expect(
      (await hooks.fire({ name: 'tool.before', payload: { tool: 'read', input: { path: 'x' } } })).verdict,
    ).toBe('deny');
    await hooks.close();
  });

  test('runs the user’s own files without being asked, in both dialects, and records the fire', async () => {
    const { home, cwd, root } = ground({
      'home/.config/opta/config.json': JSON.stringify({
        hooks: [
          {
            event: 'tool.pre',
            matcher: 'run_command',
            command: 'case "$OPTA_TOOL_ARGS" in *rm*) echo no rm >&2; exit 1;; esac',
          },
        ],
      }),
      'home/.config/anyhook/hooks.json': JSON.stringify({
        hooks: { 'tool.before': [{ match: 'shell(git *)', run: 'echo no git >&2; exit 2' }] },
      }),
    });
    const hooks = await open({ home, cwd });
    expect(hooks.problems).toEqual([]);
    const reasons = async (command: string) =>
      (await hooks.fire(shell(command))).reasons.map(({ text }) => text);
    expect(await reasons('ls')).toEqual([]);
    expect(await reasons('rm -rf x')).toEqual(['no rm']);
    expect(await reasons('ls && git push')).toEqual(['no git']);
    await hooks.close();
    expect(readdirSync(join(root, 'home/.local/state/anyhook/journal'))).toHaveLength(1);
  });

  test('nothing of a project runs before it is trusted, and that is said; with its hash named it runs', async () => {
    const { home, cwd } = ground({
      'project/.opta/config.json': JSON.stringify({
        hooks: [{ event: 'tool.pre', command: '.opta/hooks/guard.sh' }],
      }),
      'project/.opta/hooks/guard.sh': '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nblock\n',
      'project/.opta/hooks/lib.sh': 'block() { echo "blocked by $(basename "$0")" >&2; exit 1; }\n',
      'project/.anyhook/hooks/mine.ts': `import { writeFileSync } from 'node:fs';\nimport { defineHook } from 'anyhook';\nwriteFileSync('imported', '');\nexport default defineHook({ on: 'tool.before', run: () => undefined });\n`,
    });
    const before = await open({ home, cwd });
    const outcome = await before.fire(shell('ls'));
    expect([outcome.verdict, outcome.runs.map((run) => run.skipped)]).toEqual(['none', ['not trusted']]);
    expect(existsSync(join(cwd, 'imported'))).toBe(false);
    expect(before.problems.map((problem) => problem.code)).toEqual(['not-trusted', 'not-trusted']);
    const hashes = before.examined.map(({ judgement }) => judgement.hash);
    await before.close();
    const after = await open({ home, cwd, trust: { hashes } });
    expect((await after.fire(shell('ls'))).reasons.map(({ text }) => text)).toEqual(['blocked by guard.sh']);
    expect(existsSync(join(cwd, 'imported'))).toBe(true);
    await after.close();
  });

  test('a tool call in any agent’s spelling is judged, and answered in that spelling', async () => {
    const { home, cwd } = ground();
    const hooks = await open({
      home,
      cwd,
      journal: false,
      hooks: [
        defineHook({
          on: 'tool.before',
          match: 'shell',
          run: ({ payload }) => set('input', 'command', `nice ${String(payload.input['command'])}`),
        }),
      ],
    });
    const outcome = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'run_command', input: { command: 'ls' } },
    });
    expect(outcome.payload).toEqual({ tool: 'run_command', input: { command: 'nice ls' } });
    await hooks.close();
  });

  test('callbacks are hooks too, and an approval is one only when somebody gave it', async () => {
    const { home, cwd } = ground();
    const hooks = await open({
      home,
      cwd,
      journal: false,
      callbacks: { 'tool.before': [() => allow('fine'), () => context('remember')] },
    });
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.said.map((s) => s.text)]).toEqual(['allow', ['remember']]);
    await hooks.close();
  });
});
