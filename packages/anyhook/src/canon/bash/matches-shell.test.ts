import { describe, expect, test } from 'vitest';
import { matchesShell } from './matches-shell.ts';

describe('Bash(git push*)', () => {
  test.each([
    'git push',
    'git push origin main',
    'git  push',
    'cd x && git push',
    'echo "$(git push)"',
    "bash -c 'git push'",
    'sudo git push',
    'git -C /x push',
    '/usr/bin/git push',
    'git.exe push',
    'GIT_TRACE=1 git push',
    'g"i"t p\\ush',
    'git push > log',
    'xargs git push < remotes',
    'echo push | xargs git',
    'X=push; git $X origin',
    'git "$@"',
    'git pu${X}',
    'git pus?',
    'git {push,origin}',
    'if true; then',
    '$GIT push',
    'eval "$X"',
  ])('concerns %j', (command) => {
    expect(matchesShell('git push*', command)).toBe(true);
  });

  test.each([
    'git status',
    'git pull',
    'echo git push',
    "echo 'git push'",
    '# git push',
    'git commit -m "$MSG"',
    'git log --grep="git push"',
    'git status $X',
    'git -C "$DIR" status',
    "cat <<'E'\ngit push\nE",
    'command -v git',
    'rm "$X"',
  ])('does not concern %j', (command) => {
    expect(matchesShell('git push*', command)).toBe(false);
  });
});

test('the whole text counts too', () => {
  expect(matchesShell('* | tee *', 'make | tee log')).toBe(true);
  expect(matchesShell('make && *', 'make && make test')).toBe(true);
});

test('a space before the star asks for an argument, the colon form does not', () => {
  expect(['git *', 'git:*', 'git*'].map((glob) => matchesShell(glob, 'git'))).toEqual([false, true, true]);
});

test('behind the first wildcard, expansions are compared as written', () => {
  expect(matchesShell('* --force*', 'ls "$HOME"')).toBe(false);
  expect(matchesShell('git push * --force', 'git push origin $FLAGS')).toBe(false);
});
