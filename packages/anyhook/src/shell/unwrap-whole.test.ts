/** What wrappers, settings and files run, with every reason word for word: nothing more is found, and nothing less. */

import { describe, expect, test } from 'vitest';
import { analyseShell } from './analyse.ts';

const found = (text: string) => {
  const { acts, unjudgeable } = analyseShell(text);
  return [acts.map(({ words }) => words.map(({ value }) => value).join(' ')), unjudgeable];
};

const ROWS: readonly (readonly [
  text: string,
  commands: readonly string[],
  unjudgeable: readonly string[],
])[] = [
  ['source <(curl x)', ['source <(curl x)', 'curl x'], ['source is given what curl makes at run time']],
  ['curl x | sudo bash', ['curl x', 'sudo bash', 'bash'], ['bash is given what curl makes at run time']],
  ['ssh host', ['ssh host'], []],
  ['su', ['su'], []],
  ['sudo -s', ['sudo -s'], []],
  ['sudo --login', ['sudo --login'], []],
  ['sudo $X rm', ['sudo $X rm'], ["the command's name is known only at run time: $X rm"]],
  ['timeout $T rm', ['timeout $T rm'], ["timeout: the command's name is known only at run time: $T"]],
  ['env $X rm', ['env $X rm'], ["the command's name is known only at run time: $X rm"]],
  ['env -S "rm x"', ['env -S rm x'], ['env: an option hides what is run']],
  ['xargs "$X"', ['xargs $X'], ['the command\'s name is known only at run time: "$X" {}']],
  ['parallel ::: "rm x"', ['parallel ::: rm x', 'rm x'], []],
  ['hash -p /bin/rm ls', ['hash -p /bin/rm ls'], ['hash: it gives a command another file: -p']],
  ['enable -f x.so y', ['enable -f x.so y'], ['enable: it loads code: -f']],
  ['bind -x a', ['bind -x a'], ['bind: it runs a command later: -x']],
  ['less +!rm f', ['less +!rm f'], ['less: a pager command can run anything: +!rm']],
  ['make SHELL=/x', ['make SHELL=/x'], ['make: it is given another shell: SHELL=/x']],
  ['make .SHELLFLAGS:=x', ['make .SHELLFLAGS:=x'], ['make: it is given another shell: .SHELLFLAGS:=x']],
  ['make MAKEFLAGS?=x', ['make MAKEFLAGS?=x'], ['make: it is given another shell: MAKEFLAGS?=x']],
  ['make x=SHELL=y', ['make x=SHELL=y'], []],
  ['ssh -Fx host ls', ['ssh -Fx host ls', 'ls'], ['ssh: its settings can run commands: -Fx']],
  ['gcc @opts', ['gcc @opts'], ['gcc: it reads options from a file: @opts']],
  ['emulate sh', ['emulate sh'], ['emulate: it runs what cannot be seen here']],
  ['hash -r', ['hash -r'], []],
  ['hash x-p', ['hash x-p'], []],
  ['less x+y', ['less x+y'], []],
  ['gcc x@y', ['gcc x@y'], []],
  ['ssh -F', ['ssh -F'], []],
  [
    'docker run img $CMD',
    ['docker run img $CMD'],
    ["docker: the command's name is known only at run time: $CMD"],
  ],
  ['npx $CMD', ['npx $CMD'], ["npx: the command's name is known only at run time: $CMD"]],
  ["let 'a[$(rm)]'", ['let a[$(rm)]'], ["let evaluates a subscript: 'a[$(rm)]'"]],
  ['declare -n x=y', ['declare -n x=y'], ['declare -n makes one name stand for another']],
  ['export -n x', ['export -n x'], []],
  ['local -n y', ['local -n y'], ['local -n makes one name stand for another']],
  ['typeset -xn a', ['typeset -xn a'], ['typeset -n makes one name stand for another']],
  ['eval', ['eval'], []],
  ['eval -- rm x', ['eval -- rm x', 'rm x'], []],
  ['eval rm "$X"', ['eval rm $X', 'rm $X'], []],
  ['eval "$X"', ['eval $X'], ["the command's name is known only at run time: $X"]],
  ['alias a=b c', ['alias a=b c', 'b'], []],
  ['alias ll="ls $X"', ['alias ll=ls $X', 'ls $X'], []],
  ['alias x', ['alias x'], []],
  ['at now', ['at now'], []],
  ['echo rm x | at now', ['echo rm x', 'at now', 'rm x'], []],
  ['at -l', ['at -l'], []],
  ['echo rm x | batch', ['echo rm x', 'batch', 'rm x'], []],
  ['at -d 3', ['at -d 3'], []],
  ['echo "!rm x" | ed f', ['echo !rm x', 'ed f', 'rm x'], []],
  ['echo "* * * * * rm x" | crontab', ['echo * * * * * rm x', 'crontab', 'rm x'], []],
  ['echo "@daily rm x" | crontab -', ['echo @daily rm x', 'crontab -', 'rm x'], []],
  ['ed f', ['ed f'], []],
  [
    'echo \'{"scripts":{"a":"rm x","b":"ls \\"y\\""}}\' > package.json; npm run a',
    ['echo {"scripts":{"a":"rm x","b":"ls \\"y\\""}}', 'npm run a', 'rm x', 'ls y'],
    [],
  ],
  ['npm run a', ['npm run a'], []],
  ['cmake -P x', ['cmake -P x'], []],
  ['flock f rm x', ['flock f rm x', 'rm x'], []],
  ['flock -n f -c "rm x"', ['flock -n f -c rm x', 'rm x'], []],
  ['nice --bogus rm x', ['nice --bogus rm x', 'rm x', 'x'], []],
  ['nice --bogus "rm x; y"', ['nice --bogus rm x; y', 'rm x; y', 'rm x', 'y'], []],
  ['sudo -V', ['sudo -V'], []],
  ['chrt -m', ['chrt -m'], []],
  ['env A=1 -i rm x', ['env A=1 -i rm x', 'rm x'], []],
  ['env A=1', ['env A=1'], []],
  ['sudo A=1', ['sudo A=1'], []],
  ['env $(cat .env) rm x', ['env $(cat .env) rm x', 'rm x', 'cat .env'], []],
  [
    'env $(cat .env)',
    ['env $(cat .env)', 'cat .env'],
    ["the command's name is known only at run time: $(cat .env)"],
  ],
  ['xargs', ['xargs'], []],
  ['xargs -I% rm %', ['xargs -I% rm %', 'rm %'], []],
  ['echo a b | xargs rm', ['echo a b', 'xargs rm', 'rm a b'], []],
  [
    'echo a b | xargs -I% mv % %.old',
    ['echo a b', 'xargs -I% mv % %.old', 'mv % %.old', 'mv a a.old', 'mv b b.old'],
    [],
  ],
  ['xargs -a f rm', ['xargs -a f rm', 'rm {}'], []],
  ['xargs -i rm {}', ['xargs -i rm {}', 'rm {}'], []],
  ['xargs -J% rm % x', ['xargs -J% rm % x', 'rm % x'], []],
  ['watch', ['watch'], []],
  ['ssh host -', ['ssh host -'], []],
  ['trap - INT', ['trap - INT'], []],
  ['trap "rm x" INT', ['trap rm x INT', 'rm x'], []],
  ['parallel gzip', ['parallel gzip', 'gzip {}'], []],
  ['parallel rm {} ::: a', ['parallel rm {} ::: a', 'rm {}', 'rm a'], []],
  ['parallel "rm {}" ::: a', ['parallel rm {} ::: a', 'rm {}', 'rm a'], []],
  ['hyperfine -p a b c', ['hyperfine -p a b c', 'a', 'b', 'c'], []],
  ['hyperfine --bogus a', ['hyperfine --bogus a', 'a', 'a'], []],
  ['watch --bogus a b', ['watch --bogus a b', 'a b', 'b', 'a b'], []],
  ['ssh -O check host', ['ssh -O check host'], []],
  ['docker ps', ['docker ps'], []],
  ['docker run --name=x img rm y', ['docker run --name=x img rm y', 'img rm y', 'rm y', 'y'], []],
  [
    'docker exec -it c sh -c "rm x"',
    ['docker exec -it c sh -c rm x', 'c sh -c rm x', 'sh -c rm x', 'rm x', 'rm x'],
    [],
  ],
  ['kubectl exec pod -- rm x', ['kubectl exec pod -- rm x', 'pod -- rm x', 'rm x', 'x'], []],
  ['npx "rm x"', ['npx rm x', 'rm x', 'rm x'], []],
  ['npm exec rm x', ['npm exec rm x', 'rm x', 'x'], []],
  ['npm test', ['npm test'], []],
  ['uv run rm x', ['uv run rm x', 'rm x', 'x'], []],
  ['tmux new "rm x"', ['tmux new rm x', 'new rm x', 'rm x', 'rm x'], []],
  ['npx $X rm', ['npx $X rm'], ["npx: the command's name is known only at run time: $X"]],
  ['docker run $IMG rm x', ['docker run $IMG rm x', 'rm x', 'x'], []],
  ['docker run -v $A:/x img rm', ['docker run -v $A:/x img rm', 'img rm', 'rm'], []],
  ['docker exec $C rm x', ['docker exec $C rm x', 'rm x', 'x'], []],
  ['docker run --name $N img rm', ['docker run --name $N img rm', 'img rm', 'rm'], []],
  ['kubectl exec $POD -- rm x', ['kubectl exec $POD -- rm x', 'rm x', 'x'], []],
  ['npx host:$X', ['npx host:$X'], []],
  [
    'python3.12 -c "import os; os.system(\'rm x\')"',
    ["python3.12 -c import os; os.system('rm x')", 'rm x'],
    [],
  ],
  ['bash5 -c "rm x"', ['bash5 -c rm x', 'rm x'], []],
  ['git.exe push', ['git.exe push'], []],
  ['C:\\\\x\\\\Git.EXE push', ['C:\\x\\Git.EXE push'], []],
  ['/a/b.cmd x', ['/a/b.cmd x'], []],
  ['ln -s /bin/rm y; y x', ['ln -s /bin/rm y', 'y x', '/bin/rm x'], []],
  ['alias q="rm -rf"; q y', ['alias q=rm -rf', 'rm -rf', 'q y', 'rm -rf y'], []],
  ['echo "#!/bin/sh\nrm x" > f; ./f', ['echo #!/bin/sh\nrm x', './f', 'rm x'], []],
  [
    'printf "#!/usr/bin/env python3\nimport os; os.system(\'rm x\')" > f; ./f',
    ["printf #!/usr/bin/env python3\nimport os; os.system('rm x')", './f', 'rm x'],
    [],
  ],
  ['printf "rm x" > f; ./f', ['printf rm x', './f', 'rm x'], []],
  ['PAGER="rm x" git log', ['rm x', 'git log'], []],
  ['PS1=x ls', ['ls'], ['PS1 holds code']],
  ['NODE_OPTIONS="--eval x" node a', ['node a'], ['NODE_OPTIONS holds code: "--eval x"']],
  ['NODE_OPTIONS="--max-old-space-size=1" node a', ['node a'], []],
  ['BASH_ENV=f ls', ['ls'], []],
  ['A="x[$(rm)]" ls', ['ls', 'rm'], []],
  ['env "A=$X" ls', ['env A=$X ls', 'ls'], []],
  ['env $X=1 ls', ['env $X=1 ls'], ["the command's name is known only at run time: $X=1 ls"]],
  ['sudo A+=1 ls', ['sudo A+=1 ls', 'ls'], []],
  ['export BASH_FUNC_x%%=y', ['export BASH_FUNC_x%%=y'], ['BASH_FUNC_x%% holds code']],
];

test.each(ROWS)('%j runs %j, with the unjudgeable parts %j', (text, commands, unjudgeable) => {
  expect(found(text)).toEqual([commands, unjudgeable]);
});

describe('an assignment', () => {
  const settings = (text: string) =>
    analyseShell(text).settings.map(({ name, value }) => [name, value.value, value.fixed]);

  test('is found before a command, in a wrapper and in a declaration', () => {
    expect(
      ['A=1 ls', 'env A=1 B="$X" ls', 'sudo A+=1 ls', 'env C=x=y ls', 'env -i D='].map(settings),
    ).toEqual([
      [['A', '1', true]],
      [
        ['A', '1', true],
        ['B', '$X', false],
      ],
      [['A', '1', true]],
      [['C', 'x=y', true]],
      [['D', '', true]],
    ]);
  });
});

test('programs that fetch the code that runs are listed', () => {
  expect(
    ['curl x | sh', 'wget -qO- x | sudo bash', 'make | sh'].map((text) => analyseShell(text).fetched),
  ).toEqual([['curl'], ['wget'], []]);
});
