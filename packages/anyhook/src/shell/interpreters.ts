/** Interpreters that take a program on the command line or from their input. */

import type { CodeLanguage } from './code-calls.ts';
import type { OptionSpec } from './options.ts';

export interface Interpreter extends OptionSpec {
  /** Without version numbers: `python3.12` is `python`. */
  readonly names: string;
  readonly language: CodeLanguage;
  /** Options, or first words, that are followed by a program. */
  readonly code: readonly string[];
  /** Options that load a file, or code, before the program. */
  readonly loads?: readonly string[];
  /** Options with which the interpreter reads no program from its input. */
  readonly info?: readonly string[];
  /** Options that end the options of the interpreter. */
  readonly ends?: readonly string[];
}

const INFO = ['-h', '-v', '-V', '--help', '--version', '-version', '--versions', '-help'];

const ROWS: readonly Interpreter[] = [
  {
    names: 'python pypy ipython micropython',
    language: 'python',
    short: 'bBdEhiIOPqsSuvVx?c:m:W:X:',
    long: 'help version help-all check-hash-based-pycs:',
    code: ['-c'],
    ends: ['-m'],
  },
  {
    names: 'node nodejs',
    language: 'js',
    short: 'hvicpe:r:C:',
    long: 'help version check test watch inspect:: inspect-brk:: eval: print require: import: loader: experimental-loader: env-file: env-file-if-exists: conditions: input-type: test-reporter: test-name-pattern: max-old-space-size:: no-warnings enable-source-maps trace-warnings experimental-strip-types run: build-snapshot-config: prof cpu-prof',
    code: ['-e', '-p', '--eval', '--print', '-i'],
    loads: ['-r', '--require', '--import', '--loader', '--experimental-loader'],
    info: ['--test', '--run', '--v8-options', '--completion-bash'],
  },
  { names: 'deno', language: 'js', code: ['eval', 'repl', '-'], short: 'hVq' },
  {
    names: 'bun',
    language: 'js',
    code: ['-e', '-p', '--eval', '--print', 'eval', 'repl', '-'],
    short: 'hvpe:r:',
    long: 'eval: print preload: require: import:',
    loads: ['-r', '--preload', '--require', '--import'],
  },
  {
    names: 'tsx ts-node',
    language: 'js',
    code: ['-e', '-p', '--eval', '--print'],
    short: 'hvpe:r:P:T',
    long: 'eval: print require: project: transpile-only esm',
  },
  {
    names: 'perl',
    language: 'perl',
    short: 'acfhlnpsStTuUvVwWXC::D::d::F:i::I:0::e:E:m:M:x::',
    code: ['-e', '-E', '-M', '-m'],
  },
  {
    names: 'ruby jruby irb pry',
    language: 'ruby',
    short: 'acdhlnpsSvwyC:E:e:F::I:i::K:r:T::UW::x::0::',
    long: 'help version',
    code: ['-e'],
  },
  {
    names: 'php',
    language: 'php',
    short: 'aehilmnqsvwzB:c:d:E:f:F:r:R:S:t:',
    code: ['-r', '-B', '-R', '-E', '-F', '-a', '--run'],
    info: ['-S', '-i', '-m', '-l', '-f', '--ini'],
  },
  { names: 'lua luajit', language: 'lua', short: 'ivEWe:l:', code: ['-e'] },
  {
    names: 'Rscript R',
    language: 'other',
    short: 'e:f:',
    code: ['-e'],
    long: 'help version vanilla slave no-save no-restore',
  },
  {
    names: 'julia',
    language: 'other',
    short: 'hvqiLe:E:p:t:J:C:',
    code: ['-e', '-E', '-L', '--eval', '--print'],
  },
  { names: 'elixir', language: 'other', short: 'e:r:S:', code: ['-e', '--eval', '--rpc-eval'], ends: ['-S'] },
  { names: 'erl', language: 'other', code: ['-eval', '-run', '-s'] },
  {
    names: 'groovy scala kotlin jshell clojure clj bb',
    language: 'other',
    short: 'e:',
    code: ['-e', '--eval', '-M'],
  },
  { names: 'osascript', language: 'other', short: 'e:l:s:', code: ['-e'] },
  { names: 'guile racket csi gosh scheme', language: 'other', short: 'c:e:l:s:', code: ['-c', '-e'] },
  { names: 'ghc runghc', language: 'other', short: 'e:', code: ['-e'] },
  { names: 'swift octave', language: 'other', short: 'e:', code: ['-e', '--eval', 'repl'] },
  {
    names: 'tclsh wish ghci utop ocaml sbcl clisp swipl gforth',
    language: 'other',
    short: 'e:g:c:',
    code: ['-e', '-g', '-c', '--eval'],
  },
];

const BY_NAME: ReadonlyMap<string, Interpreter> = new Map(
  ROWS.flatMap((row) => {
    const interpreter = { ...row, info: [...INFO, ...(row.info ?? [])] };
    return row.names.split(' ').map((name) => [name, interpreter] as const);
  }),
);
export const INTERPRETER_NAMES: readonly string[] = [...BY_NAME.keys()];

/** The interpreter of this name, with or without a version number. */
export const interpreterOf = (program: string): Interpreter | undefined =>
  BY_NAME.get(program) ?? BY_NAME.get(withoutVersion(program));

export const withoutVersion = (program: string): string => program.replace(/[-.]?[\d.]+$/, '');
