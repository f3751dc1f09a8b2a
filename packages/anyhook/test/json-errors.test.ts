/** With `--json`, every failure of every command is one line of JSON with a code that `anyhook explain` knows. */

import { expect, test } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { isErrorCode } from '../src/console/error-codes.ts';
import { World } from './trust/world.ts';

interface JsonError {
  readonly error: { readonly code: string; readonly message: string; readonly exitCode: number };
}
async function failed(world: World, args: readonly string[]) {
  const { status, stderr } = await world.run([...args, '--json'], '');
  const { code, message, exitCode } = (JSON.parse(stderr) as JsonError).error;
  expect([exitCode, isErrorCode(code), message === '']).toEqual([status, true, false]);
  return code;
}

test.each(Object.keys(COMMANDS).filter((name) => name !== 'bridge'))(
  'anyhook %s reports wrong use as JSON with a code',
  async (name) => {
    expect(await failed(new World(), [name, '--no-such-option'])).toBe('wrong-use');
  },
);

test('an unknown command is reported as JSON with a code', async () => {
  expect(await failed(new World(), ['lst'])).toBe('wrong-use');
});

test.each([['trust', 'add'], ['pause', '1m'], ['resume'], ['reload'], ['uninstall', 'codex']])(
  'anyhook %s without a terminal is reported as JSON with the code user-only',
  async (...args) => {
    expect(await failed(new World(), args)).toBe('user-only');
  },
);

test('an error of the file system is reported as JSON with a code', async () => {
  const world = new World();
  world.put('.anyhook', 'a file');
  expect(await failed(world, ['init'])).toBe('file-system');
});

test('problems, missing files and failed test cases in JSON output have codes', async () => {
  const world = new World();
  world.put('.anyhook/hooks.json', '{ "hooks": { "tool.befor": [] } }');
  world.put('guard.test.yaml', 'cases: [{ "name": "x" }]');
  world.put('.claude/hooks/lonely.py', 'pass', world.home);
  const outputs = await Promise.all(
    [
      ['list', '--json'],
      ['doctor', '--json'],
      ['test', '--json'],
    ].map((args) => world.run(args)),
  );
  const [list, doctor, cases] = outputs.map(
    ({ stdout }) => JSON.parse(stdout) as Record<string, { code: string }[]>,
  );
  const codes = [list!['problems'], list!['notLoaded'], doctor!['findings'], cases!['faults']].map((found) =>
    (found ?? []).map(({ code }) => code),
  );
  expect(codes.map((found) => found.length > 0)).toEqual([true, true, true, true]);
  expect(codes.flat().filter((code) => !isErrorCode(code))).toEqual([]);
});
