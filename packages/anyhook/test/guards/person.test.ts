/** Only a user in a terminal may change guards, not an agent or its children. Runs as root and as nobody. */

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PERSON, World } from '../trust/world.ts';

const HOOKS = '{"hooks":{"tool.before":[{"match":"shell(git push *)","run":"exit 2"}]}}';
const world = () => {
  const made = new World();
  made.put('.config/anyhook/hooks.json', HOOKS, made.home);
  made.put('.anyhook/hooks.json', '{"hooks":{"tool.before":[{"run":"./guard.sh"}]}}');
  made.put('guard.sh', '#!/bin/sh\nexit 2\n');
  return made;
};
/** A program with that name that runs the given command. */
function agentCalled(name: string, { home }: World): string {
  const file = join(home, name);
  copyFileSync('/bin/sh', file);
  chmodSync(file, 0o755);
  return file;
}
const actsOf = ({ home }: World): string => {
  const file = join(home, '.local/state/anyhook/acts.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const DECISIONS = [
  ['trust', 'add'],
  ['trust', 'home'],
  ['trust', 'revoke', `sha256:${'0'.repeat(64)}`],
  ['pause', '1s'],
  ['resume'],
  ['uninstall', 'codex'],
  ['reload'],
];

describe('what decides over guards', () => {
  test('changes of guards are refused without a terminal, whatever is named', async () => {
    const here = world();
    const ended = await Promise.all(DECISIONS.map((words) => here.run(words)));
    expect(
      ended.map(({ status, stderr }) => [status, stderr.includes('this is not an interactive terminal')]),
    ).toEqual(DECISIONS.map(() => [2, true]));
    expect(actsOf(here)).toBe('');
  });

  test('changes of guards are refused below an agent with a terminal, even with its marker removed', async () => {
    const here = world();
    const agent = agentCalled('codex', here);
    for (const words of DECISIONS) {
      const { status, stdout } = await here.run(words, '', [PERSON, agent, '-c', '"$@"; exit $?', 'sh']);
      expect([words, status, stdout.includes('started by Codex CLI')]).toEqual([words, 2, true]);
    }
    expect(actsOf(here)).toBe('');
  });

  test('changes of guards are refused if an ancestor process has the marker that the caller dropped', async () => {
    const here = world();
    const dropped = [PERSON, 'env', 'CLAUDECODE=1', 'sh', '-c', 'env -u CLAUDECODE "$@"; exit $?', 'sh'];
    const { status, stdout } = await here.run(['pause', '1s'], '', dropped);
    expect([status, stdout.includes('started by Claude Code (CLAUDECODE is set)')]).toEqual([2, true]);
  });

  test('a user in a terminal may change guards, and each change is logged with time, folder and caller', async () => {
    const here = world();
    const { status } = await here.run(['pause', '1s'], '', [PERSON]);
    expect(status).toBe(0);
    const [act] = actsOf(here)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(Object.keys(act!)).toEqual(['at', 'what', 'terminal', 'ancestors']);
    expect(act!['terminal']).toMatch(/^\/dev\/pts\/\d+$/);
  });

  test.runIf(process.getuid?.() === 0)('holds for a user who is not root as well', ({ skip }) => {
    const run = (script: string) =>
      spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'sh', '-c', script], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
      });
    const cli = new URL('../../dist/bin/anyhook.cjs', import.meta.url).pathname;
    const { status, stderr } = run(`'${process.execPath}' '${cli}' pause 1s`);
    if (/MODULE_NOT_FOUND|Permission denied|EACCES/.test(stderr)) skip('that user cannot read this checkout');
    expect([status, stderr]).toEqual([
      2,
      'anyhook: pause: this is not an interactive terminal; run it yourself in an interactive terminal\n',
    ]);
  });
});
