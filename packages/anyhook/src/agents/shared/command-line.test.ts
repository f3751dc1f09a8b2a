import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentSetup, InstallScope } from './bridge.ts';
import { bridgedBy, closedLine, failedLines, launcherFile, openLine, quoted } from './command-line.ts';

const DEADLINE_MS = 590_000;
let home = '';
beforeAll(() => void (home = mkdtempSync(join(tmpdir(), `it's a "home" $HOME `))));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const setupFor = (scope: InstallScope): AgentSetup => ({
  node: '/node',
  bin: '/bin',
  moduleUrl: '',
  failure: 'closed',
  agent: 'codex',
  dialect: 'codex',
  scope,
  home,
  file: '~/.codex/hooks.json',
});
/** A launcher that does this. */
function launcher(script: string | undefined): void {
  const file = launcherFile({ home });
  mkdirSync(dirname(file), { recursive: true });
  if (script === undefined) rmSync(file, { force: true });
  else writeFileSync(file, script);
}
const run = (line: string, shell = '/bin/sh') => {
  const env = { PATH: process.env['PATH'], HOME: home, closed: 'from the environment' };
  const { status, stdout, stderr } = spawnSync(shell, ['-c', line], {
    env,
    input: '{}',
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const SHELLS = ['any', 'posix'] as const;
const SCOPES = ['user', 'project'] as const;
const CASES = SCOPES.flatMap((scope) => SHELLS.map((shell) => ({ scope, shell })));

describe.each(CASES)('the line of an installation for a $scope, read by $shell shell', ({ scope, shell }) => {
  test('reads the launcher with the words of a fire, and says whether a failure refuses', () => {
    launcher('printf "%s|" "$closed" "$@"; cat; exit 0');
    const words = 'fire|--as|codex|--host|codex|--deadline-ms|590000|';
    expect([
      run(closedLine(setupFor(scope), DEADLINE_MS, { shell })).stdout,
      run(openLine({ ...setupFor(scope), strict: true }, DEADLINE_MS, { shell })).stdout,
      run(closedLine(setupFor(scope), DEADLINE_MS, { shell }), '/bin/bash').stdout,
    ]).toEqual([`1|${words}{}`, `|${words}--strict|{}`, `1|${words}{}`]);
  });

  test('refuses where the launcher is gone if it judges tool calls, and passes otherwise; both say what to do', () => {
    launcher(undefined);
    const gone = `${launcherFile({ home })} is gone. To mend it: anyhook install codex; to go on without it, delete the lines of anyhook from ~/.codex/hooks.json\n`;
    expect([
      run(closedLine(setupFor(scope), DEADLINE_MS, { shell })),
      run(openLine(setupFor(scope), DEADLINE_MS, { shell })),
    ]).toEqual([
      { status: 2, stdout: '', stderr: `anyhook could not judge this call, so it is refused: ${gone}` },
      { status: 1, stdout: '', stderr: `anyhook: no hook was asked: ${gone}` },
    ]);
  });

  test(`holds ${scope === 'user' ? 'the path of the launcher' : 'no path of this machine'}`, () => {
    const line = closedLine({ ...setupFor(scope), home: '/home/me' }, DEADLINE_MS, { shell });
    expect(line.includes('/home/me')).toBe(scope === 'user');
  });
});

test('a file whose name a shell would read otherwise is only spoken of', () => {
  const file = '/tmp/`touch hit`"$(touch hit)/hooks.json';
  launcher(undefined);
  const { stderr } = run(closedLine({ ...setupFor('user'), file }, DEADLINE_MS));
  expect(stderr).toContain('from /tmp/?touch?hit????touch?hit?/hooks.json\n');
});

test('our line is known again, of whatever version, and nobody else’s is', () => {
  const words = 'fire --as codex --host codex --deadline-ms 590000';
  expect(
    [
      closedLine(setupFor('user'), DEADLINE_MS),
      openLine(setupFor('project'), DEADLINE_MS),
      closedLine(setupFor('project'), DEADLINE_MS, { shell: 'posix' }),
      `/usr/bin/node /opt/anyhook/dist/bin/anyhook.cjs ${words}`,
      `/bin/sh -c '/usr/bin/node /opt/anyhook/dist/bin/anyhook.cjs ${words} || { s=$?; exit 2; }'`,
      'anyhook fire --as codex',
      'echo fire --as',
    ].map(bridgedBy),
  ).toEqual(['codex', 'codex', 'codex', 'codex', 'codex', undefined, undefined]);
});

describe('for an agent that hears documents only', () => {
  const terms = { hearing: 'document' } as const;
  const refused = (reason: string) => ({
    status: 0,
    stdout: `${JSON.stringify({ decision: 'deny', reason, permissionDecision: 'deny', permissionDecisionReason: reason })}\n`,
    stderr: '',
  });
  const setup = setupFor('project');

  test('a line that judges calls refuses by one where the launcher is gone, and any other passes', () => {
    launcher(undefined);
    const cure =
      'To mend it: anyhook install codex; to go on without it, delete the lines of anyhook from ~/.codex/hooks.json';
    expect([run(closedLine(setup, DEADLINE_MS, terms)), run(openLine(setup, DEADLINE_MS, terms))]).toEqual([
      refused(`anyhook could not judge this call, so it is refused: its launcher is gone. ${cure}`),
      {
        status: 0,
        stdout: '',
        stderr: `anyhook: no hook was asked: ${launcherFile({ home })} is gone. ${cure}\n`,
      },
    ]);
  });

  test('so does the launcher; a sign that would break the document is left out', () => {
    const failing = (why: string) => `${failedLines(' Look.')}\nfailed ${quoted(why)}`;
    const said = (why: string) => {
      launcher(failing(why));
      return [run(closedLine(setup, DEADLINE_MS, terms)), run(openLine(setup, DEADLINE_MS, terms))];
    };
    const passed = (why: string) => ({
      status: 0,
      stdout: '',
      stderr: `anyhook: no hook was asked${why}\n`,
    });
    expect([said(': gone.'), said(': a "b" is gone.'), said(': a\nb is gone.'), said(': a\\b.')[0]]).toEqual([
      [refused('anyhook could not judge this call, so it is refused: gone. Look.'), passed(': gone.')],
      [refused('anyhook could not judge this call, so it is refused.'), passed(': a "b" is gone.')],
      [refused('anyhook could not judge this call, so it is refused.'), passed(': a\nb is gone.')],
      refused('anyhook could not judge this call, so it is refused.'),
    ]);
  });
});
