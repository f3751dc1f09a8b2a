import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { execCommand } from './exec-command.ts';
import { hookOf } from './fixtures/scratch.ts';
import { HookRunner } from './runner.ts';
import type { ExecResult, HookAPI } from './types/index.ts';

const folder = realpathSync(tmpdir());
const node = (script: string, ...args: string[]) => [process.execPath, ['-e', script, ...args]] as const;

describe('a command', () => {
  test('a command receives its arguments unchanged, without a shell', async () => {
    const [command, args] = node(
      'console.log(JSON.stringify(process.argv.slice(1)))',
      '$HOME; rm -rf *',
      'a b',
    );
    const { stdout, ...rest } = await execCommand(command, args, folder);
    expect(JSON.parse(stdout)).toEqual(['$HOME; rm -rf *', 'a b']);
    expect(rest).toEqual({ stderr: '', code: 0, killed: false });
  });

  test('a command with another exit code is a result, not a rejection', async () => {
    const [command, args] = node('console.error("no"); process.exitCode = 3');
    expect(await execCommand(command, args, folder)).toEqual({
      stdout: '',
      stderr: 'no\n',
      code: 3,
      killed: false,
    });
  });

  test('a missing command is returned as a result, not thrown', async () => {
    const result = await execCommand('no-such-program-anywhere', [], folder);
    expect(result).toMatchObject({ stdout: '', code: -1, killed: false });
    expect(result.stderr).not.toBe('');
  });

  test('a command runs in the given folder', async () => {
    const [command, args] = node('process.stdout.write(process.cwd())');
    expect((await execCommand(command, args, '/')).stdout).toBe('/');
    expect((await execCommand(command, args, '/', { cwd: folder })).stdout).toBe(folder);
  });

  test('a command inherits the environment, with additions and without removed variables', async () => {
    const [command, args] = node(
      'process.stdout.write([process.env.MINE, process.env.PATH !== undefined, process.env.HOME].join())',
    );
    const options = { env: { MINE: 'yes' }, stripEnv: ['HOME'] };
    expect((await execCommand(command, args, folder, options)).stdout).toBe('yes,true,');
  });

  test('a command is killed at its timeout, and its output is kept', async () => {
    const [command, args] = node('process.stdout.write("begun"); setInterval(() => {}, 1000)');
    expect(await execCommand(command, args, folder, { timeout: 3_000 })).toEqual({
      stdout: 'begun',
      stderr: '',
      code: -1,
      killed: true,
    });
  }, 30_000);

  test('an abort kills a command', async () => {
    const ending = new AbortController();
    const [command, args] = node('setInterval(() => {}, 1000)');
    const running = execCommand(command, args, folder, { signal: ending.signal });
    setTimeout(() => ending.abort(), 100);
    expect(await running).toMatchObject({ code: -1, killed: true });
  });
});

test("pi.exec runs in the runner's folder", async () => {
  let pi: HookAPI | undefined;
  const hook = hookOf((given) => void (pi = given));
  void new HookRunner([hook], { cwd: folder, services: {} });
  const [command, args] = node('process.stdout.write(process.cwd())');
  const result: ExecResult = await pi!.exec(command, [...args]);
  expect(result.stdout).toBe(folder);
});
