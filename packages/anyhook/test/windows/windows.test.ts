/**
 * The library, the command line, the daemon and both clients on Windows, under Wine. Wine does not show:
 *
 * - `|| exit 2` behind the client, for a client that is missing: its `cmd` runs the part behind `||` in any case.
 * - Access lists: who may open the named pipe, and who owns a file. The native client checks the owner of the pipe.
 * - Terminals and standard streams that are pipes: Node under Wine needs files. So `uninstall` gets a preloaded module that claims
 *   a terminal.
 * - PowerShell, Git Bash and real agents, which start the command in their own ways.
 */

import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, NODE, obstacle, windowsPath, WineUser } from './wine.ts';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const CLI = join(PACKAGE, 'dist/bin/anyhook.cjs');
const HOOKS = {
  hooks: {
    'tool.before': [
      { name: 'command', match: 'shell(git push*)', run: 'echo not today 1>&2 & exit 2' },
      { name: 'late', match: 'shell(late)', run: 'ping -n 60 127.0.0.1 > nul', timeoutMs: 1000 },
    ],
  },
};
const MODULE = `import { defineHook, deny } from 'anyhook';
export default defineHook({ on: 'tool.before', match: 'shell(module)', run: () => deny('no by module' as string) });
`;
const urlOf = (path: string): string => `file:///Z:${pathToFileURL(join(PACKAGE, path)).pathname}`;
const FIRES = `import { createHooks } from '${urlOf('dist/index.js')}';
import { EVERYTHING } from '${urlOf('dist/testing/index.js')}';
const hooks = await createHooks({ host: { name: 'program', can: EVERYTHING } });
const outcomes = {};
for (const command of ['ls', 'git push', 'module', 'late']) {
  const { proceed, reason } = await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command } } });
  outcomes[command] = [proceed, reason];
}
await hooks.close();
console.log(JSON.stringify({ problems: hooks.problems, outcomes }));
`;
const CLAIMS_TERMINAL = `const tty = require('node:tty');
tty.isatty = (fd) => fd === 0;
require('node:module').syncBuiltinESMExports();
`;

describe.skipIf(obstacle !== undefined)(`on Windows${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
  const user = obstacle === undefined ? new WineUser() : (undefined as unknown as WineUser);
  const CLIENT = 'AppData/Local/anyhook/anyhook-client';
  const inHome = (path: string): string => `${user.windowsHome}\\${path.replaceAll('/', '\\')}`;

  beforeAll(() => {
    user.remove('AppData/Local/anyhook', '.config/anyhook', '.local', '.codex');
    user.put('.config/anyhook/hooks.json', HOOKS);
    user.put('.config/anyhook/hooks/mine.ts', MODULE);
  });
  afterAll(() => user.close());

  const cli = (...args: readonly string[]): Ended => user.node([windowsPath(CLI), ...args]);
  const json = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;
  const state = () => json(cli('daemon', 'status', '--json')) as { running: boolean; events?: number };
  let sessions = 0;
  /** A call of Codex, in a session of its own. */
  const call = (command: string): string =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: `s${++sessions}`,
      cwd: windowsPath(user.project),
      tool_name: 'Bash',
      tool_input: { command },
    });
  const refusal = (stderr: string) => ({ code: 2, stdout: '', stderr: expect.stringContaining(stderr) });
  const DONE = { code: 0, stdout: '', stderr: '' };

  test('the library runs command hooks and TypeScript modules, and ends a late hook', () => {
    const file = join(user.root, 'fires.mjs');
    writeFileSync(file, FIRES);
    expect(json(user.node([windowsPath(file)]))).toEqual({
      problems: [],
      outcomes: {
        ls: ['yes', ''],
        'git push': ['no', 'not today'],
        module: ['no', 'no by module'],
        late: ['no', expect.stringContaining('timed-out')],
      },
    });
  });

  test('list names all hooks, and doctor finds an agent that they do not reach yet', () => {
    user.put('.local/bin/codex.cmd', '@echo codex-cli 0.98.7\r\n');
    const { code, stdout } = cli('list');
    expect([code, stdout]).toEqual([0, expect.stringContaining(inHome('.config/anyhook/hooks.json'))]);
    expect(stdout).toContain(inHome('.config/anyhook/hooks/mine.ts'));
    const doctor = cli('doctor');
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('anyhook install codex')]);
    expect(doctor.stdout).toContain('0.98.7');
    expect(doctor.stdout.match(/\[[a-z-]+\]/g)).toEqual(['[reaches-no-agent]', '[reaches-no-agent]']);
  });

  const commandIn = (settings: string | undefined): string => {
    const { hooks } = JSON.parse(settings ?? '') as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    return hooks['PreToolUse']![0]!.hooks[0]!.command;
  };

  describe('with the native client', () => {
    const event = (command: string): Ended =>
      user.run([inHome(`${CLIENT}.exe`), 'codex', '--on-failure', 'refuse'], call(command));

    test('install copies it and adds its command to the settings', () => {
      const { code, stderr } = cli('install', 'codex');
      expect([code, stderr]).toEqual([0, '']);
      const command = `"${inHome(`${CLIENT}.exe`)}" codex --on-failure refuse || exit 2`;
      expect(commandIn(user.read('.codex/hooks.json'))).toBe(command);
      expect(user.read(`${CLIENT}.conf`)?.split('\n').slice(1)).toEqual([
        `node=${windowsPath(NODE)}`,
        `program=${windowsPath(CLI)}`,
        expect.stringMatching(/^socket=\\\\\.\\pipe\\anyhook-/),
        '',
      ]);
    });

    test('the first event starts a daemon, which answers the next ones over a named pipe', async () => {
      expect(event('git push')).toEqual(refusal('not today'));
      // On a slow machine the first event runs directly, because the client waits for five seconds only.
      for (let i = 0; !state().running && i < 20; i++) await pause(500);
      const { events } = state();
      expect(event('git push')).toEqual(refusal('not today'));
      expect(event('module')).toEqual(refusal('no by module'));
      expect(event('ls')).toEqual(DONE);
      expect(state().events).toBe((events ?? 0) + 3);
      // Locks of clients that started it.
      const left = readdirSync(join(user.home, 'AppData/Local/anyhook'));
      expect(left.filter((name) => name.startsWith('starting.'))).toEqual([]);
    });

    test('a direct run gives the same answer', () => {
      for (const command of ['git push', 'module'])
        expect(user.node([windowsPath(CLI), 'bridge', 'codex'], call(command))).toEqual(event(command));
    });

    test('a change on disk counts at the next event', () => {
      user.put('.config/anyhook/hooks.json', JSON.stringify(HOOKS).replace('not today', 'never again'));
      expect(event('git push')).toEqual(refusal('never again'));
      user.put('.config/anyhook/hooks.json', HOOKS);
    });

    test('a second daemon leaves the place to the first, and stop ends it', () => {
      const { running } = state();
      expect([running, cli('daemon', 'run').code]).toEqual([true, 0]);
      expect(cli('daemon', 'stop')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('has stopped'),
      });
      expect(state().running).toBe(false);
    });
  });

  describe('with the Node client', () => {
    const copy = join(user?.root ?? '', 'copy');
    /** An installed package without the package of the native client. */
    const copied = (...args: readonly string[]): Ended =>
      user.node([windowsPath(join(copy, 'dist/bin/anyhook.cjs')), ...args]);
    const event = (command: string, mode = 'refuse'): Ended =>
      user.run(['cmd', '/d', '/c', inHome(`${CLIENT}.cmd`), 'codex', '--on-failure', mode], call(command));

    beforeAll(() => {
      for (const part of ['dist', 'package.json', 'schema'])
        cpSync(join(PACKAGE, part), join(copy, part), { recursive: true });
      symlinkSync(join(PACKAGE, '../../node_modules'), join(copy, 'node_modules'));
    });

    test('install writes a batch file that starts it', () => {
      expect(copied('install', 'codex')).toMatchObject({ code: 0, stderr: '' });
      const command = `"${inHome(`${CLIENT}.cmd`)}" codex --on-failure refuse || exit 2`;
      expect(commandIn(user.read('.codex/hooks.json'))).toBe(command);
      expect(user.read(`${CLIENT}.cjs`)).toBe(readFileSync(join(copy, 'dist/node-client.cjs'), 'utf8'));
    });

    test('it answers through the daemon, which it starts', async () => {
      expect(event('git push')).toEqual(refusal('not today'));
      for (let i = 0; !state().running && i < 20; i++) await pause(500);
      const { events } = state();
      expect([event('module'), event('ls')]).toEqual([refusal('no by module'), DONE]);
      expect(state().events).toBe((events ?? 0) + 2);
    });

    test('a missing Node is a failure as the entry says', () => {
      const text = user.read(`${CLIENT}.cmd`)!;
      user.put(`${CLIENT}.cmd`, text.replaceAll(windowsPath(NODE), String.raw`C:\missing & gone\node.exe`));
      const reason = 'because Node.js is missing. Run: anyhook doctor';
      expect(event('ls')).toEqual(refusal(`anyhook refused this call ${reason}`));
      const { code, stdout } = event('ls', 'refuse-json');
      expect([code, JSON.parse(stdout)]).toEqual([
        0,
        expect.objectContaining({ decision: 'deny', reason: `anyhook refused this call ${reason}` }),
      ]);
      const notice = expect.stringContaining(`anyhook: no hook was called ${reason}`);
      expect(event('ls', 'pass')).toEqual({ code: 1, stdout: '', stderr: notice });
      expect(event('ls', 'pass-quiet')).toEqual({ code: 0, stdout: '', stderr: notice });
      user.put(`${CLIENT}.cmd`, text);
    });

    test('uninstall removes it, and ends the daemon', () => {
      const preloaded = join(user.root, 'terminal.cjs');
      writeFileSync(preloaded, CLAIMS_TERMINAL);
      const program = windowsPath(join(copy, 'dist/bin/anyhook.cjs'));
      const { code, stderr } = user.node(['-r', windowsPath(preloaded), program, 'uninstall', 'codex']);
      expect([code, stderr]).toEqual([0, '']);
      const left = ['.codex', 'AppData/Local/anyhook'].filter((path) => existsSync(join(user.home, path)));
      expect([left, state().running]).toEqual([[], false]);
    });
  });
});
