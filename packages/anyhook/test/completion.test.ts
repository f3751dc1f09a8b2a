/** Completion in real shells, without the packages that many systems lack. */

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { PERSON, World } from './trust/world.ts';

const isHere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** A home with `anyhook` on the PATH and the script of this shell. */
async function prepared(shell: string) {
  const world = new World();
  const { stdout } = await world.run(['completion', shell]);
  world.put(`script.${shell}`, stdout, world.home);
  const cli = new URL('../dist/bin/anyhook.cjs', import.meta.url).pathname;
  world.put('bin/anyhook', `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, world.home);
  const env = { ...process.env, HOME: world.home, PATH: `${world.home}/bin:${process.env['PATH'] ?? ''}` };
  const script = `${world.home}/script.${shell}`;
  return { world, env, script };
}

test('bash completes commands, options and values without the bash-completion package', async () => {
  const { world, env, script } = await prepared('bash');
  const complete = (line: string) =>
    spawnSync(
      'bash',
      [
        '--norc',
        '--noprofile',
        '-c',
        'type _init_completion _get_comp_words_by_ref 2>/dev/null && exit 9; source "$1"; COMP_LINE="$2"; COMP_POINT=${#2}; _anyhook; printf "%s\\n" "${COMPREPLY[@]}"',
        'bash',
        script,
        line,
      ],
      { encoding: 'utf8', env, cwd: world.project },
    );
  const { status, stdout } = complete('anyhook re');
  expect([status, stdout.trim().split('\n').toSorted()]).toEqual([
    0,
    ['reload', 'remove', 'replay', 'resume'],
  ]);
  expect(complete('anyhook test --j').stdout.trim().split('\n')).toEqual(['--junit', '--json']);
  expect(complete('anyhook install claude-code cod').stdout.trim()).toBe('codex');
  expect(complete('anyhook no-such-command ').stdout.trim()).toBe('');
});

test('bash does not run what is typed before the Tab key', async () => {
  const { env, script, world } = await prepared('bash');
  const line = `anyhook why "$(touch ${world.home}/ran)" '; touch ${world.home}/ran' --r`;
  spawnSync(
    'bash',
    ['--norc', '-c', 'source "$1"; COMP_LINE="$2"; COMP_POINT=${#2}; _anyhook', 'bash', script, line],
    { env },
  );
  expect(spawnSync('test', ['-e', `${world.home}/ran`]).status).toBe(1);
});

test('the Tab key completes in an interactive bash', async () => {
  const { world, env, script } = await prepared('bash');
  const typed = `source ${script}\nanyhook versio\t\nanyhook completi\t fis\t | head -1\nexit\n`;
  const bash = spawnSync(PERSON, ['bash', '--norc', '--noprofile', '-i'], {
    encoding: 'utf8',
    env: { ...env, TERM: 'xterm', PS1: '$ ' },
    cwd: world.project,
    input: typed,
  });
  expect(bash.stdout).toContain('# fish completion for anyhook');
});

test.runIf(isHere('fish'))('fish completes commands with their descriptions', async () => {
  const { env, script } = await prepared('fish');
  const { stdout } = spawnSync('fish', ['--no-config', '-c', `source ${script}; complete -C 'anyhook doc'`], {
    encoding: 'utf8',
    env,
  });
  expect(stdout).toBe('doctor\tCheck agents, bridges and hooks, and report problems\n');
});

test.runIf(isHere('zsh'))('the Tab key completes in an interactive zsh', async () => {
  const { world, env, script } = await prepared('zsh');
  const typed = `autoload -U compinit; compinit -u -D\nsource ${script}\nanyhook completi\t fis\t | head -1\nexit\n`;
  const zsh = spawnSync(PERSON, ['zsh', '-f', '-i'], {
    encoding: 'utf8',
    env: { ...env, TERM: 'xterm' },
    cwd: world.project,
    input: typed,
  });
  expect(zsh.stdout).toContain('# fish completion for anyhook');
});
