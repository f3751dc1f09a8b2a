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
  test('gets its arguments as they are: no shell looks at them', async () => {
    const [command, args] = node(
      'console.log(JSON.stringify(process.argv.slice(1)))',
      '$HOME; rm -rf *',
      'a b',
    );
    const { stdout, ...rest } = await execCommand(command, args, folder);
    expect(JSON.parse(stdout)).toEqual(['$HOME; rm -rf *', 'a b']);
    expect(rest).toEqual({ stderr: '', code: 0, killed: false });
  });

  test('that ends with another code is a result, not a rejection', async () => {
    const [command, args] = node('console.error("no"); process.exitCode = 3');
    expect(await execCommand(command, args, folder)).toEqual({
      stdout: '',
      stderr: 'no\n',
      code: 3,
      killed: false,
    });
  });

  test('that is not there is a result too', async () => {
    const result = await execCommand('no-such-program-anywhere', [], folder);
    expect(result).toMatchObject({ stdout: '', code: -1, killed: false });
    expect(result.stderr).not.toBe('');
  });

  test('runs in the folder it was given', async () => {
    const [command, args] = node('process.stdout.write(process.cwd())');
    expect((await execCommand(command, args, '/')).stdout).toBe('/');
    expect((await execCommand(command, args, '/', { cwd: folder })).stdout).toBe(folder);
  });

  test('inherits the environment, with what is laid over it and without what is stripped', async () => {
    const [command, args] = node(
      'process.stdout.write([process.env.MINE, process.env.PATH !== undefined, process.env.HOME].join())',
    );
    const options = { env: { MINE: 'yes' }, stripEnv: ['HOME'] };
    expect((await execCommand(command, args, folder, options)).stdout).toBe('yes,true,');
  });

  test('is killed when its time is over, and what it had printed is kept', async () => {
    const [command, args] = node('process.stdout.write("begun"); setInterval(() => {}, 1000)');
    expect(await execCommand(command, args, folder, { timeout: 3_000 })).toEqual({
      stdout: 'begun',
      stderr: '',
      code: -1,
      killed: true,
    });
  }, 30_000);

  test('is killed by an abort', async () => {
    const ending = new AbortController();
    const [command, args] = node('setInterval(() => {}, 1000)');
    const running = execCommand(command, args, folder, { signal: ending.signal });
    setTimeout(() => ending.abort(), 100);
    expect(await running).toMatchObject({ code: -1, killed: true });
  });
});

test('pi.exec runs in the runner’s folder', async () => {
  let pi: HookAPI | undefined;
  const hook = hookOf((given) => void (pi = given));
  void new HookRunner([hook], { cwd: folder, services: {} });
  const [command, args] = node('process.stdout.write(process.cwd())');
  const result: ExecResult = await pi!.exec(command, [...args]);
  expect(result.stdout).toBe(folder);
});
