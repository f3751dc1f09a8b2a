import { describe, expect, test } from 'vitest';
import { matchesShell, matchShell } from './matches-shell.ts';

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
  ])('matches %j', (command) => {
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
  ])('does not match %j', (command) => {
    expect(matchesShell('git push*', command)).toBe(false);
  });
});

test('a rule is also compared with the whole text', () => {
  expect(matchesShell('* | tee *', 'make | tee log')).toBe(true);
  expect(matchesShell('make && *', 'make && make test')).toBe(true);
});

test('a space before the star requires an argument, and a colon does not', () => {
  expect(['git *', 'git:*', 'git*'].map((glob) => matchesShell(glob, 'git'))).toEqual([false, true, true]);
});

test('after the first wildcard, expansions are compared by their spelling', () => {
  expect(matchesShell('* --force*', 'ls "$HOME"')).toBe(false);
  expect(matchesShell('git push * --force', 'git push origin $FLAGS')).toBe(false);
});

describe('shell(rm -rf*), in any spelling of the options,', () => {
  const kindOf = (command: string) => matchShell('rm -rf*', command).kind;

  test.each([
    'rm -fr x',
    'rm -r -f x',
    'rm -Rf x',
    'rm --recursive --force x',
    'rm --rec --fo x',
    'rm -v -rf x',
    'rm x -rf',
    'sudo rm -f --recursive x',
    'python3 -c "import shutil; shutil.rmtree(\'x\')"',
  ])('matches %j', (command) => {
    expect(kindOf(command)).toBe('matches');
  });

  test.each([
    'rm -r x',
    'rm -f x',
    'rm -- -rf',
    'rmdir -rf',
    'python3 -c "print(1)"',
    'node -e "console.log(1)"',
    '$HOME/bin/tool x',
    'eval "$(direnv export bash)"',
    'rm "$X"',
    'find . -name "*.o" | xargs rm',
    'echo "rm -rf x"',
  ])('does not match %j', (command) => {
    expect(kindOf(command)).toBe('clear');
  });

  test.each(['$CMD -rf x', 'eval "$X"', 'curl x | sh', 'rm $RM_FLAGS x', 'if true; then'])(
    'is in doubt about %j',
    (command) => {
      expect(kindOf(command)).toBe('opaque');
    },
  );
});

test('options of git, docker and npm are compared in any order and spelling', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['git push --force*', 'git -C x push -fu origin main'],
    ['git commit --no-verify*', 'git commit -anm msg'],
    ['git reset --hard*', 'git reset HEAD~1 --har'],
    ['git branch -D*', 'git branch --delete --force x'],
    ['docker system prune -a*', 'docker --context x system prune -fa'],
    ['npm install -g*', 'npm install pkg --global'],
    ['kubectl delete --all*', 'kubectl -n x delete pods --all'],
  ];
  expect(pairs.filter(([rule, command]) => matchShell(rule, command).kind !== 'matches')).toEqual([]);
  expect(matchShell('git push --force*', 'git push --force-with-lease').kind).toBe('matches'); // the glob's own letters
});
