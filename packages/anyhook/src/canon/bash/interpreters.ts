/** Languages with a way to take their program on the command line or from their input: both are unjudgeable. */
import type { OptionSpec } from './options.ts';

export interface Interpreter extends OptionSpec {
  /** Without version numbers: `python3.12` is `python`. */
  readonly names: string;
  /** Options, or first words, behind which stands a program. */
  readonly code: readonly string[];
  /** Options behind which no program is awaited on the input. */
  readonly info?: readonly string[];
  /** The options of the interpreter end here. */
  readonly ends?: readonly string[];
}

const INFO = ['-h', '-v', '-V', '--help', '--version', '-version', '--versions', '-help'];

const ROWS: readonly Interpreter[] = [
  {
    names: 'python pypy ipython micropython',
    short: 'bBdEhiIOPqsSuvVx?c:m:W:X:',
    long: 'help version help-all check-hash-based-pycs:',
    code: ['-c'],
    ends: ['-m'],
  },
  {
    names: 'node nodejs',
    short: 'hvice:p:r:C:',
    long: 'help version check test watch inspect:: inspect-brk:: eval: print: require: import: loader: experimental-loader: env-file: env-file-if-exists: conditions: input-type: test-reporter: test-name-pattern: max-old-space-size:: no-warnings enable-source-maps trace-warnings experimental-strip-types run: build-snapshot-config: prof cpu-prof',
    code: ['-e', '-p', '--eval', '--print', '-i'],
    info: ['--test', '--run', '--v8-options', '--completion-bash'],
  },
  { names: 'deno', code: ['eval', 'repl', '-'], short: 'hVq' },
  {
    names: 'bun',
    code: ['-e', '-p', '--eval', '--print', 'eval', 'repl', '-'],
    short: 'hve:p:',
    long: 'eval: print:',
  },
  {
    names: 'tsx ts-node',
    code: ['-e', '-p', '--eval', '--print'],
    short: 'hve:p:r:P:T',
    long: 'eval: print: require: project: transpile-only esm',
  },
  {
    names: 'perl',
    short: 'acfhlnpsStTuUvVwWXC::D::F:i::I:0::e:E:m:M:x::',
    code: ['-e', '-E', '-M', '-m', '-d'],
  },
  {
    names: 'ruby jruby',
    short: 'acdhlnpsSvwyC:E:e:F::I:i::K:r:T::UW::x::0::',
    long: 'help version',
    code: ['-e'],
  },
  {
    names: 'php',
    short: 'aehilmnqsvwzB:c:d:E:f:F:r:R:S:t:',
    code: ['-r', '-B', '-R', '-E', '-F', '-a', '--run'],
    info: ['-S', '-i', '-m', '-l', '-f', '--ini'],
  },
  { names: 'lua luajit', short: 'ivEWe:l:', code: ['-e'] },
  { names: 'Rscript R', short: 'e:f:', code: ['-e'], long: 'help version vanilla slave no-save no-restore' },
  { names: 'julia', short: 'hvqiLe:E:p:t:J:C:', code: ['-e', '-E', '-L', '--eval', '--print'] },
  { names: 'elixir', short: 'e:r:S:', code: ['-e', '--eval', '--rpc-eval'], ends: ['-S'] },
  { names: 'erl', code: ['-eval', '-run', '-s'] },
  { names: 'groovy scala kotlin jshell clojure clj bb', short: 'e:', code: ['-e', '--eval', '-M'] },
  { names: 'osascript', short: 'e:l:s:', code: ['-e'] },
  { names: 'guile racket csi gosh scheme', short: 'c:e:l:s:', code: ['-c', '-e'] },
  { names: 'ghc runghc', short: 'e:', code: ['-e'] },
  { names: 'swift octave', short: 'e:', code: ['-e', '--eval', 'repl'] },
  {
    names: 'tclsh wish irb pry ghci utop ocaml sbcl clisp swipl gforth',
    short: 'e:g:c:',
    code: ['-e', '-g', '-c', '--eval'],
  },
];

export const INTERPRETERS: readonly Interpreter[] = ROWS.map((row) => ({
  ...row,
  info: [...INFO, ...(row.info ?? [])],
}));
