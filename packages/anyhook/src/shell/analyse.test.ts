import { describe, expect, test } from 'vitest';
import { commandsIn } from './analyse.ts';
import { LONGEST_TEXT, MOST_COMMANDS } from './limits.ts';

const names = (text: string) => commandsIn(text).commands.map((command) => command.words.join(' '));

describe('commandsIn', () => {
  test('returns the words of each command without quotes, and its spelling', () => {
    expect(commandsIn(`X=1 r\\m "-rf" '/tmp/a b' "$HOME"/x 2>&1 | wc -l`)).toEqual({
      commands: [
        { words: ['rm', '-rf', '/tmp/a b', '$HOME/x'], text: `X=1 r\\m "-rf" '/tmp/a b' "$HOME"/x 2>&1` },
        { words: ['wc', '-l'], text: 'wc -l' },
      ],
      unjudgeable: [],
    });
  });

  test.each<[string, string[]]>([
    ['', []],
    ['# rm x', []],
    ['x=1', []],
    ["echo 'rm x; $(rm y)'", ['echo rm x; $(rm y)']],
    ["cat <<'E'\n$(rm x)\nE", ['cat']],
    ['a; b && c || d | e |& f & g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['echo "$(a)" `b` <(c) >(d)', ['echo $(a) `b` <(c) >(d)', 'a', 'b', 'c', 'd']],
    ['echo `echo \\`a x\\``', ['echo `echo \\`a x\\``', 'echo `a x`', 'a x']],
    ['cat <<E\n$(a) `b` ${x:-$(c)}\nE', ['cat', 'a', 'b', 'c']],
    ['cat <<< "$(a)" > "$(b)" 2>> $(c)', ['cat', 'a', 'b', 'c']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for x in $(a) b; do c; done', ['a', 'c']],
    ['select x in $(a); do b; done', ['a', 'b']],
    ['for ((i = $(a); i < $(b); i++)); do c; done', ['a', 'b', 'c']],
    ['case $(a) in $(b)) c;; *) d;& esac', ['a', 'b', 'c', 'd']],
    ['f() { a; }; function g { b; }; (c); { d; }', ['a', 'b', 'c', 'd']],
    ['! a; time -p b; coproc c x; coproc N { d; }', ['a', 'b', 'c x', 'd']],
    ['[[ -n $(a) && $(b) == $(c) ]]', ['a', 'b', 'c']],
    ['(( x = $(a) )); echo $(( $(b) )) $[ $(c) ]', ['a', 'echo $(( $(b) )) $[ $(c) ]', 'b', 'c']],
    ['x[$(a)]=$(b) y=($(c) [$(d)]=1) e', ['e', 'a', 'b', 'c', 'd']],
    ['echo ${x[$(a)]} ${x:=$(b)} ${x%$(c)}', ['echo ${x[$(a)]} ${x:=$(b)} ${x%$(c)}', 'a', 'b', 'c']],
    ['declare -a x=($(a)); export y=$(b)', ['declare -a x=($(a))', 'a', 'export y=$(b)', 'b']],
    ['echo ${ a; } ${| b; }', ['echo ${ a; } ${| b; }', 'a', 'b']],
    ["trap 'a; b' EXIT", ['trap a; b EXIT', 'a', 'b']],
  ])('finds in %j the commands %j', (text, expected) => {
    expect(commandsIn(text).unjudgeable).toEqual([]);
    expect(names(text)).toEqual(expected);
  });

  test('keeps the spelling of unknown expansions in arguments', () => {
    expect(commandsIn('git push "$REMOTE" $(branch) *.txt')).toEqual({
      commands: [
        {
          words: ['git', 'push', '$REMOTE', '$(branch)', '*.txt'],
          text: 'git push "$REMOTE" $(branch) *.txt',
        },
        { words: ['branch'], text: 'branch' },
      ],
      unjudgeable: [],
    });
  });
});

describe('a text with parts that only run time knows', () => {
  test.each([
    'if true; then',
    'echo "unclosed',
    'echo $(',
    'ls ;; rm',
    '$X -rf y',
    '"$X" -rf y',
    '${X}m y',
    '"$@"',
    'r? x',
    'r* x',
    '[r]m x',
    '@(rm) x',
    '~ x',
    '=rm x',
    "$'\\x{72}m' x",
    "$'\\ud800' x",
    'rm\0 x',
    '${(e)x}',
    'echo "${x@P}"',
    "(( 'a[$(rm x)]' ))",
    'echo $(( "a[\\$(rm x)]" ))',
    "echo ${y:'a[$(rm)]'}",
    "x['$(rm)']=1",
    "[[ 'a[$(rm)]' -gt 1 ]]",
    "cat <<E\n${x:-'$(rm)'}\nE",
    'echo ${x/$(/bin/rm y)/z}',
    "x='a[$(rm)]'",
    'BASH_ALIASES[ls]=rm',
    'GIT_SSH_COMMAND=$X git fetch',
  ])('%j is unjudgeable', (text) => {
    expect(commandsIn(text).unjudgeable).not.toEqual([]);
  });

  test('a reason quotes the part that cannot be judged', () => {
    expect(commandsIn('ls; $CMD -x').unjudgeable).toEqual([
      "the command's name is known only at run time: $CMD -x",
    ]);
  });

  test.each([
    'LOG="[$(date)] x"',
    'a[$i]=1',
    'echo "${x:0:3}" ${y//a/b}',
    'cat <<E\n\\$(x)\nE',
    '[[ $a -eq 1 ]]',
    'echo $((x + 1))',
  ])('%j is judgeable', (text) => {
    expect(commandsIn(text).unjudgeable).toEqual([]);
  });
});

describe('values that the text itself assigns', () => {
  test.each<[string, string]>([
    ['R=rm; $R x', 'rm x'],
    ['$(echo rm) x', 'rm x'],
    ['{rm,-rf} x', 'rm -rf x'],
    ['rm${IFS}-rf${IFS}$HOME/x', 'rm -rf $HOME/x'],
    ['a=(rm -rf x); "${a[@]}"', 'rm -rf x'],
    ['set -- rm x; "$@"', 'rm x'],
    ['f() { rm "$@"; }; f -rf x', 'rm -rf x'],
    ['echo rm x | sh', 'rm x'],
    ['echo cm0geAo= | base64 -d | sh', 'rm x'],
    ['echo rm x > f; sh f', 'rm x'],
    ['echo rm x > f; BASH_ENV=f bash -c :', 'rm x'],
    ['ln -s /bin/rm y; ./y x', '/bin/rm x'],
    ['$HOME/bin/tool x', 'tool x'],
    ['"$SHELL" -c "rm x"', 'rm x'],
  ])('are used in %j, which runs %j', (text, expected) => {
    expect(names(text)).toContain(expected);
    expect(commandsIn(text).unjudgeable).toEqual([]);
  });
});

describe('a long text', () => {
  test.each([1, 50, 51, MOST_COMMANDS])('does not hide the last of %i commands', (count) => {
    const found = commandsIn(`${'true && '.repeat(count - 1)}rm x`);
    expect([found.commands.length, found.commands.at(-1)?.words, found.unjudgeable]).toEqual([
      count,
      ['rm', 'x'],
      [],
    ]);
  });

  test('is unjudgeable with one command more than the limit', () => {
    expect(commandsIn(`${'true; '.repeat(MOST_COMMANDS)}rm x`).unjudgeable).toEqual([
      `more than ${MOST_COMMANDS} commands`,
    ]);
  });

  test('is read to its end, and is unjudgeable beyond the limit', () => {
    const text = (length: number) => `${'x'.repeat(length - 5)}; rm y`.slice(-length);
    expect(names(text(LONGEST_TEXT)).at(-1)).toBe('rm y');
    expect(commandsIn(text(LONGEST_TEXT + 1))).toEqual({
      commands: [],
      unjudgeable: [`${LONGEST_TEXT + 1} characters, at most ${LONGEST_TEXT} are judged`],
    });
  });

  test('is opened through eight wrappers, and a ninth is unjudgeable', () => {
    expect(commandsIn(`${'sudo '.repeat(8)}rm x`).unjudgeable).toEqual([]);
    expect(names(`${'sudo '.repeat(8)}rm x`).at(-1)).toBe('rm x');
    expect(commandsIn(`${'sudo '.repeat(9)}rm x`).unjudgeable).not.toEqual([]);
  });

  test.each([
    '$(',
    '`',
    '(',
    '{ ',
    '{a,',
    '<(',
    '${a:-',
    '<<a ',
    'cat <<a\n',
    '"$(',
    'a[',
    '@(',
    'if true; then ',
    '$(cat <<a\n',
  ])('of a megabyte of %j is found unjudgeable within the time limit', (piece) => {
    const started = performance.now();
    expect(commandsIn(piece.repeat(LONGEST_TEXT / piece.length)).unjudgeable).not.toEqual([]);
    // The same just below the size where brackets are counted: the parser itself has to cope.
    commandsIn(piece.repeat(16_000 / piece.length));
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
