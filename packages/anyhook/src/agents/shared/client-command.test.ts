import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentSetup, InstallScope } from './bridge.ts';
import { bridgedBy, clientCommand, type ClientCommandOptions, clientFile } from './client-command.ts';

const DEADLINE_MS = 590_000;
let home = '';
beforeAll(() => void (home = mkdtempSync(join(tmpdir(), `it's a "home" $HOME `))));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const setupFor = (scope: InstallScope): AgentSetup => ({
  node: '/node',
  bin: '/bin',
  client: { kind: 'native', file: '/client' },
  moduleUrl: '',
  failure: 'closed',
  agent: 'codex',
  dialect: 'codex',
  scope,
  home,
  file: '~/.codex/hooks.json',
});
/** Creates a client that runs this script. */
function client(script: string | undefined): void {
  const file = clientFile({ home });
  mkdirSync(dirname(file), { recursive: true });
  if (script === undefined) rmSync(file, { force: true });
  else writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
const run = (setup: AgentSetup, options: Partial<ClientCommandOptions>, shell = '/bin/sh') => {
  const command = clientCommand(setup, { deadlineMs: DEADLINE_MS, isClosed: true, ...options });
  const env = { PATH: process.env['PATH'], HOME: home };
  const { status, stdout, stderr } = spawnSync(shell, ['-c', command], {
    env,
    input: '{}',
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const open = { isClosed: false } as const;

const SHELLS = ['any', 'posix'] as const;
const SCOPES = ['user', 'project'] as const;
const CASES = SCOPES.flatMap((scope) => SHELLS.map((shell) => ({ scope, shell })));

describe.each(CASES)('the command in settings of a $scope, run by a $shell shell', ({ scope, shell }) => {
  const setup = () => setupFor(scope);

  test(`the command starts the client with its arguments and the payload (${scope}, ${shell})`, () => {
    client('printf "%s|" "$@"; cat');
    expect([
      run(setup(), { shell }).stdout,
      run({ ...setup(), strict: true }, { shell, ...open, deadlineMs: 2500 }).stdout,
      run(setup(), { shell }, '/bin/bash').stdout,
    ]).toEqual([
      'codex|--on-failure|refuse|{}',
      'codex|--deadline-ms|2500|--strict|{}',
      'codex|--on-failure|refuse|{}',
    ]);
  });

  test(`the command passes any answer of the client on (${scope}, ${shell})`, () => {
    client('echo answer; echo why >&2; exit 2');
    const refusal = { status: 2, stdout: 'answer\n', stderr: 'why\n' };
    expect([run(setup(), { shell }), run(setup(), { shell, ...open })]).toEqual([refusal, refusal]);
    client('echo notice >&2; exit 1');
    expect(run(setup(), { shell, ...open })).toEqual({ status: 1, stdout: '', stderr: 'notice\n' });
  });

  test(`the command refuses a tool call if the client is missing or crashes, and lets everything else pass (${scope}, ${shell})`, () => {
    const next = 'is missing. Run: anyhook install codex';
    const refused = expect.stringContaining(
      `anyhook refused this call because its client ${next}. Or remove its entries from ~/.codex/hooks.json\n`,
    );
    const passed = expect.stringContaining(`anyhook called no hook because its client ${next}\n`);
    for (const script of [undefined, 'kill -9 $$']) {
      client(script);
      expect([run(setup(), { shell }), run(setup(), { shell, ...open })]).toEqual([
        { status: 2, stdout: '', stderr: refused },
        { status: 1, stdout: '', stderr: passed },
      ]);
    }
  });

  test(`the command contains ${scope === 'user' ? 'the path of the client' : 'no path of this machine'} (${shell})`, () => {
    const command = clientCommand(
      { ...setup(), home: '/home/me' },
      { deadlineMs: DEADLINE_MS, isClosed: true, shell },
    );
    expect(command.includes('/home/me')).toBe(scope === 'user');
  });
});

test('the command prints a settings file name with shell syntax without executing it', () => {
  const file = '/tmp/`touch hit`"$(touch hit)/hooks.json';
  client(undefined);
  expect(run({ ...setupFor('user'), file }, {}).stderr).toContain(
    'from /tmp/?touch?hit????touch?hit?/hooks.json\n',
  );
});

test('bridgedBy recognises commands of this and earlier versions, and no others', () => {
  const options = { deadlineMs: DEADLINE_MS, isClosed: true } as const;
  const old = 'fire --as codex --host codex --deadline-ms 590000';
  expect(
    [
      clientCommand(setupFor('user'), options),
      clientCommand(setupFor('project'), { ...options, ...open }),
      clientCommand(setupFor('project'), { ...options, shell: 'posix' }),
      '"C:\\Users\\me\\AppData\\Local\\anyhook\\anyhook-client.exe" codex || exit 2',
      '"C:\\Users\\me\\AppData\\Local\\anyhook\\anyhook-client.cmd" codex || exit 2',
      `/usr/bin/node /opt/anyhook/dist/bin/anyhook.cjs ${old}`,
      `/bin/sh -c '/usr/bin/node /opt/anyhook/dist/bin/anyhook.cjs ${old} || { s=$?; exit 2; }'`,
      'anyhook fire --as codex',
      'echo anyhook-client',
    ].map(bridgedBy),
  ).toEqual([...Array<string>(7).fill('codex'), undefined, undefined]);
});

describe('the command for an agent that reads refusals from JSON', () => {
  const json = { reading: 'json' } as const;
  const setup = setupFor('project');

  test('the command passes --on-failure to the client of an agent that reads JSON refusals', () => {
    client('printf "%s|" "$@"');
    expect([run(setup, json).stdout, run(setup, { ...json, ...open }).stdout]).toEqual([
      'codex|--on-failure|refuse-json|',
      'codex|--on-failure|pass-quiet|',
    ]);
  });

  test('the command prints a JSON refusal if the client of a guard is missing, and always exits 0', () => {
    client(undefined);
    const next = 'is missing. Run: anyhook install codex';
    const reason = `anyhook refused this call because its client ${next}. Or remove its entries from ~/.codex/hooks.json`;
    const refusal = {
      decision: 'deny',
      reason,
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    };
    const { status, stdout } = run(setup, json);
    expect([status, JSON.parse(stdout)]).toEqual([0, refusal]);
    expect(run(setup, { ...json, ...open })).toEqual({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining(`anyhook called no hook because its client ${next}\n`),
    });
  });

  test('the command passes exit code 2 on', () => {
    client('echo why >&2; exit 2');
    expect([run(setup, json), run(setup, { ...json, ...open })]).toEqual(
      Array.from({ length: 2 }, () => ({ status: 2, stdout: '', stderr: 'why\n' })),
    );
  });
});
