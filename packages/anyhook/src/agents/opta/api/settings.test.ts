/** `.opta/config.json` and `~/.config/opta/config.json`, used through `createHooks`. */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ground, hooksIn, read, trusting, until } from './fixtures/scratch.ts';

const USER = 'home/.config/opta/config.json';
const PROJECT = 'project/.opta/config.json';
const config = (...hooks: readonly object[]) => JSON.stringify({ hooks });
const call = (tool: string, input: object = {}) =>
  ({ name: 'tool.before', payload: { tool, input: { ...input } } }) as const;

/** The example of section 4, unchanged. */
const SEED = `{
  "hooks": [
    { "event": "tool.pre", "matcher": "run_command", "command": ".opta/hooks/block-rm.sh" },
    { "event": "tool.post", "matcher": "edit_file|write_file", "command": ".opta/hooks/auto-lint.sh", "timeout": 15000 },
    { "event": "session.end", "command": "git add -A && git commit -m 'opta: done'", "background": true }
  ]
}`;
const SCRIPTS = fileURLToPath(new URL('../../../../../../examples/opta/.opta/hooks', import.meta.url));
function seeded() {
  const folders = ground({ [PROJECT]: SEED });
  cpSync(SCRIPTS, join(folders.cwd, '.opta/hooks'), { recursive: true });
  return folders;
}

describe("the document's example, unchanged", () => {
  test('the example blocks rm in the project, from any folder of it', async () => {
    const { home, cwd } = seeded();
    mkdirSync(join(cwd, 'src'));
    const hooks = await trusting({ home, cwd });
    const removes = { ...call('run_command', { command: 'rm -rf /' }), scene: { cwd: join(cwd, 'src') } };
    const { verdict, reasons } = await hooks.fire(removes);
    expect([verdict, reasons]).toEqual([
      'deny',
      [{ by: `opta:${join(cwd, '.opta/config.json')}#1`, text: 'Blocked: destructive rm' }],
    ]);
    expect((await hooks.fire(call('run_command', { command: 'ls' }))).verdict).toBe('none');
  });

  test("the example works in another agent: matcher and script receive Opta's names", async () => {
    const { home, cwd } = seeded();
    const hooks = await trusting({ home, cwd });
    expect((await hooks.fire(call('shell', { command: 'rm -rf /' }))).verdict).toBe('deny');
    expect((await hooks.fire(call('write', { path: 'rm -rf /' }))).verdict).toBe('none');
  });

  test('the example does not run before the user trusts it, and the problem names the hash', async () => {
    const { home, cwd } = seeded();
    const hooks = await hooksIn({ home, cwd });
    const { verdict, runs } = await hooks.fire(call('run_command', { command: 'rm -rf /' }));
    expect([verdict, runs.map(({ skipped }) => skipped)]).toEqual(['none', ['not trusted']]);
    expect(hooks.problems.map(({ code, file, line }) => [code, file, line])).toEqual(
      [3, 4, 5].map((line) => ['not-trusted', join(cwd, '.opta/config.json'), line]),
    );
  });

  test('the example commits at the end of a session, even if the program exits at once', async () => {
    const { home, cwd } = seeded();
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, {
        cwd,
        env: { PATH: process.env['PATH'], HOME: home },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    git('init', '-q');
    git('config', '--global', 'user.email', 'a@example.com');
    git('config', '--global', 'user.name', 'a');
    const hashes = (await hooksIn({ home, cwd })).examined.map(({ judgement }) => judgement.hash);
    const program = fileURLToPath(new URL('./fixtures/end-session.mjs', import.meta.url));
    const plan = JSON.stringify({ home, cwd, hashes });
    const done = spawnSync(process.execPath, [program, plan], {
      env: { PATH: process.env['PATH'], HOME: home },
      encoding: 'utf8',
    });
    expect([done.status, done.stderr]).toEqual([0, '']);
    const log = () => spawnSync('git', ['log', '--format=%s'], { cwd, encoding: 'utf8' }).stdout;
    await until(() => log() === 'opta: done\n');
    expect(git('ls-files')).toContain('.opta/config.json');
  });
});

describe('both files', () => {
  test('project commands run in the project, user commands in the folder of the agent', async () => {
    const { home, cwd } = ground({
      [USER]: config({ event: 'session.start', command: 'pwd > "$OPTA_CWD/user"' }),
      [PROJECT]: config({ event: 'session.start', command: 'pwd > "$OPTA_CWD/project"' }),
    });
    const src = join(cwd, 'src');
    mkdirSync(src);
    const hooks = await trusting({ home, cwd });
    await hooks.fire({ name: 'session.start', payload: {}, scene: { cwd: src } });
    expect([read(src, 'user').trim(), read(src, 'project').trim()]).toEqual([src, cwd]);
  });

  test('both files are read, and user hooks run first', async () => {
    const { home, cwd } = ground({
      [USER]: config({ event: 'session.start', command: 'echo user >> ran' }),
      [PROJECT]: config({ event: 'session.start', command: 'echo project >> ran' }),
    });
    const hooks = await trusting({ home, cwd });
    await hooks.fire({ name: 'session.start', payload: {} });
    expect(read(cwd, 'ran')).toBe('user\nproject\n');
  });

  test('the same hook in both files runs once with the stricter policy, and both locations are kept', async () => {
    const same = { event: 'tool.pre', matcher: 'run_command', command: 'echo ran >> ran; exit 1' };
    const { home, cwd } = ground({
      [USER]: config({ ...same, onFailure: 'allow' }),
      [PROJECT]: config({ ...same, onFailure: 'block' }, { ...same, matcher: 'edit_file' }),
    });
    const hooks = await trusting({ home, cwd });
    await hooks.fire(call('run_command'));
    expect(read(cwd, 'ran')).toBe('ran\n');
    expect(
      hooks.hooks.map(({ matcher, onFailure, origin, also }) => [
        matcher,
        onFailure,
        origin.file,
        also?.map(({ file }) => file),
      ]),
    ).toEqual([
      ['run_command', 'block', join(home, '.config/opta/config.json'), [join(cwd, '.opta/config.json')]],
      ['edit_file', undefined, join(cwd, '.opta/config.json'), undefined],
    ]);
  });

  test('a user hook needs no trust', async () => {
    const { home, cwd } = ground({ [USER]: config({ event: 'tool.pre', command: 'echo mine >&2; exit 1' }) });
    const hooks = await hooksIn({ home, cwd });
    expect((await hooks.fire(call('x'))).reasons.map(({ text }) => text)).toEqual(['mine']);
  });

  test('hooks of one file load whatever is wrong with the other', async () => {
    for (const broken of ['{"hooks": [', '[]', 'x', '{"hooks":[{"event":"nope","command":"x"}]}']) {
      const { home, cwd } = ground({
        [USER]: config({ event: 'tool.pre', command: 'echo mine >&2; exit 1' }),
        [PROJECT]: broken,
      });
      const hooks = await hooksIn({ home, cwd });
      expect(hooks.problems).toMatchObject([
        { file: join(cwd, '.opta/config.json'), line: 1, severity: 'error' },
      ]);
      expect((await hooks.fire(call('x'))).reasons.map(({ text }) => text)).toEqual(['mine']);
    }
  });

  test('a folder in place of the file is a problem, and nothing throws', async () => {
    const { home, cwd } = ground({ [`${USER}/x`]: '' });
    const hooks = await hooksIn({ home, cwd });
    expect(hooks.problems).toMatchObject([
      { code: 'file-not-regular', file: join(home, '.config/opta/config.json'), severity: 'error' },
    ]);
    expect((await hooks.fire(call('x'))).verdict).toBe('none');
  });

  test('an unreadable guard blocks its tools and names the file', async () => {
    const { home, cwd } = ground({
      [USER]: config({ event: 'tool.pre', matcher: 'run_command', command: 7 }),
    });
    const hooks = await hooksIn({ home, cwd });
    const { verdict, reasons } = await hooks.fire(call('run_command'));
    expect([verdict, reasons[0]?.broken, reasons[0]?.text]).toEqual([
      'deny',
      true,
      expect.stringMatching(
        /config\.json:1 failed \(not-loaded: hooks\[0\]\.command: expected a string, got a number/,
      ),
    ]);
    expect((await hooks.fire(call('edit_file'))).verdict).toBe('none');
  });
});

describe('plugins', () => {
  const plugin = (
    layer: 'home/.config/opta' | 'project/.opta',
    text: string,
    more: Record<string, string> = {},
  ) => ({
    [`${layer}/plugins/lint/.mcp.json`]: '{"mcpServers":{}}',
    [`${layer}/plugins/lint/hooks/hooks.json`]: text,
    ...Object.fromEntries(Object.entries(more).map(([name, it]) => [`${layer}/plugins/lint/${name}`, it])),
  });

  test('user plugins run in their own folder and are listed with their file', async () => {
    const guard = { 'guard.sh': '#!/bin/sh\necho "plugin of $OPTA_CWD" >&2\nexit 1\n' };
    const { home, cwd } = ground(
      plugin('home/.config/opta', config({ event: 'tool.pre', command: './guard.sh' }), guard),
    );
    const hooks = await hooksIn({ home, cwd });
    expect((await hooks.fire(call('x'))).reasons).toEqual([
      { by: `opta:${join(home, '.config/opta/plugins/lint/hooks/hooks.json')}#1`, text: `plugin of ${cwd}` },
    ]);
  });

  test('project plugins wait for trust, and the trusted bytes run', async () => {
    const guard = { 'guard.sh': '#!/bin/sh\necho plugin >&2\nexit 1\n' };
    const { home, cwd } = ground(
      plugin('project/.opta', config({ event: 'tool.pre', command: './guard.sh' }), guard),
    );
    const before = await hooksIn({ home, cwd });
    expect((await before.fire(call('x'))).runs.map(({ skipped }) => skipped)).toEqual(['not trusted']);
    const after = await trusting({ home, cwd });
    expect((await after.fire(call('x'))).reasons.map(({ text }) => text)).toEqual(['plugin']);
  });

  test('a folder without an .mcp.json is not a plugin', async () => {
    const { home, cwd } = ground({
      'home/.config/opta/plugins/x/hooks/hooks.json': config({ event: 'tool.pre', command: 'exit 1' }),
    });
    expect((await hooksIn({ home, cwd })).hooks).toEqual([]);
  });
});

test('without files no hook runs and nothing is written', async () => {
  const { home, cwd } = ground();
  const hooks = await hooksIn({ home, cwd });
  expect([hooks.hooks, hooks.problems, existsSync(join(home, '.local'))]).toEqual([[], [], false]);
});
