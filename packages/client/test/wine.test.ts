/** The Windows client under Wine. Needs `wine` and `ANYHOOK_WINE_NODE`, the path of a `node.exe`. */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientFor } from '../../anyhook/src/daemon/client-file.ts';
import type { Behaviour, Call } from './world.ts';

const source = clientFor('win32', 'x64');
const client = source.kind === 'native' ? source.file : undefined;
const node = process.env['ANYHOOK_WINE_NODE'];
const lacks =
  client === undefined
    ? 'the client was not built for Windows'
    : node === undefined
      ? 'ANYHOOK_WINE_NODE is not set'
      : spawnSync('wine', ['--version']).status === 0
        ? undefined
        : 'Wine is not installed';

describe.skipIf(lacks !== undefined)(
  `the Windows client under Wine${lacks === undefined ? '' : ` (${lacks})`}`,
  () => {
    const root = mkdtempSync(join(tmpdir(), 'ah-'));
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      WINEPREFIX: process.env['WINEPREFIX'] ?? join(root, 'prefix'),
      WINEDEBUG: '-all',
    };
    const pipe = String.raw`\\.\pipe\anyhook-${process.pid}`;
    let home = '';
    let homes = 0;
    /** Wine shows / as drive Z. */
    const windows = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

    // Node refuses the version of Windows that Wine starts with.
    beforeAll(() => void spawnSync('wine', ['winecfg', '-v', 'win10'], { env }));
    beforeEach(() => {
      home = join(root, `home ${homes++}`);
      mkdirSync(join(home, 'bin'), { recursive: true });
      copyFileSync(client ?? '', join(home, 'bin/anyhook-client.exe'));
      copyFileSync(join(import.meta.dirname, 'fake-program.cjs'), join(home, 'program.cjs'));
      behave({});
      configure({});
    });
    afterAll(() => {
      spawnSync('wineserver', ['-k'], { env });
      rmSync(root, { recursive: true, force: true });
    });

    const behave = (behaviour: Behaviour): void =>
      writeFileSync(
        join(home, 'behaviour.json'),
        JSON.stringify({ socket: `${pipe}-${homes}`, ...behaviour }),
      );
    function configure(conf: Readonly<Record<string, string>>): void {
      const values = { node: windows(node ?? ''), program: windows(join(home, 'program.cjs')), ...conf };
      const lines = Object.entries(values).map(([key, value]) => `${key}=${value}\r\n`);
      writeFileSync(join(home, 'bin/anyhook-client.conf'), lines.join(''));
    }
    const calls = (command: string): Call[] =>
      (existsSync(join(home, 'calls')) ? readFileSync(join(home, 'calls'), 'utf8').trim().split('\n') : [])
        .map((line) => JSON.parse(line) as Call)
        .filter(({ args }) => args[0] === command);

    /** Node under Wine needs files as stdio. */
    function run(args: readonly string[], stdin: string | Buffer = '', more: NodeJS.ProcessEnv = {}) {
      const [given, out, err] = ['in', 'out', 'err'].map((name) => join(home, name)) as [
        string,
        string,
        string,
      ];
      writeFileSync(given, stdin);
      const { status } = spawnSync('wine', [join(home, 'bin/anyhook-client.exe'), ...args], {
        cwd: home,
        env: { ...env, ...more },
        stdio: [openSync(given, 'r'), openSync(out, 'w'), openSync(err, 'w')],
        timeout: 50_000,
      });
      return { code: status, stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') };
    }
    const refused = (reason: string, next = 'anyhook doctor') => ({
      code: 2,
      stdout: '',
      stderr: `anyhook refused this call because ${reason}. Run: ${next}\n`,
    });

    test('a direct run gets all arguments, stdin and the environment, with variables moved aside', () => {
      behave({ stdout: 'out', stderr: 'err', code: 2 });
      const args = ['codex', 'a b', 'quote " and \\', '\\\\"', '', 'ünï'];
      expect(run(args, 'payload', { NODE_PATH: 'x', OWN: 'ö' })).toEqual({
        code: 2,
        stdout: 'out',
        stderr: 'err',
      });
      const [call] = calls('bridge');
      expect(call?.args).toEqual(['bridge', ...args]);
      expect(call?.stdin).toBe('payload');
      expect(call?.env).toMatchObject({ ANYHOOK_CALLER_NODE_PATH: 'x', OWN: 'ö' });
      expect(call?.env).not.toHaveProperty('NODE_PATH');
    });

    test('a direct run gets 4 MiB of stdin and prints 4 MiB', () => {
      behave({ bytes: 4 << 20 });
      const { code, stdout } = run(['codex'], 'a'.repeat(4 << 20));
      expect({ code, length: stdout.length, read: calls('bridge')[0]?.stdin?.length }).toEqual({
        code: 0,
        length: 4 << 20,
        read: 4 << 20,
      });
    });

    test('the first event starts the daemon, and the next ones are answered by it', () => {
      configure({ socket: `${pipe}-${homes}` });
      const first = run(['codex']);
      expect(first).toEqual({ code: 0, stdout: String(calls('daemon')[0]?.pid), stderr: '' });
      expect(run(['codex'])).toEqual(first);
      expect(calls('daemon')).toHaveLength(1);
      expect(calls('bridge')).toEqual([]);
      expect(readdirSync(join(home, 'bin')).filter((name) => name.startsWith('starting'))).toEqual([]);
    });

    test('a large request arrives in full', () => {
      behave({ daemonEcho: true });
      configure({ socket: `${pipe}-${homes}` });
      const size = 16 << 20;
      const { code, stdout, stderr } = run(['codex'], Buffer.alloc(size, 1));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(Number(stdout)).toBeGreaterThan(size);
    });

    test('a daemon that crashes at its start makes the client run the event directly', () => {
      behave({ daemon: 'crash', stdout: 'direct' });
      configure({ socket: `${pipe}-${homes}` });
      expect(run(['codex'])).toEqual({ code: 0, stdout: 'direct', stderr: '' });
      expect(calls('daemon')).toHaveLength(1);
    });

    test('a path that is no named pipe is never opened', () => {
      behave({ stdout: 'direct' });
      configure({ socket: windows(join(home, 'behaviour.json')) });
      expect(run(['codex'])).toEqual({ code: 0, stdout: 'direct', stderr: '' });
    });

    test('a program that crashes, a missing program and a missing node are failures', () => {
      behave({ code: 1 });
      expect(run(['codex', '--on-failure', 'refuse'])).toEqual(refused('anyhook ended with exit code 1'));
      configure({ program: String.raw`C:\missing.cjs` });
      expect(run(['codex', '--on-failure', 'refuse'])).toEqual(
        refused(
          String.raw`C:\missing.cjs is missing and there is no anyhook on the PATH`,
          'npm install -g anyhook',
        ),
      );
      configure({ node: String.raw`C:\missing.exe` });
      const { code, stdout } = run(['codex', '--on-failure', 'refuse-json']);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ decision: 'deny', permissionDecision: 'deny' });
    });

    test('the deadline ends a direct run', () => {
      behave({ waitMs: 30_000 });
      expect(run(['codex', '--on-failure', 'refuse', '--deadline-ms', '4000'])).toEqual(
        refused('anyhook did not end before the deadline'),
      );
    });
  },
);
