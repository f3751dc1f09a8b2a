import { type Inner, NOTHING, unjudgeable } from './inner.ts';
import { isInput } from './unwrap-shell.ts';
import { clip, type ShellWord } from './word.ts';

/** Most awk programs only print; one that calls `system`, or prints into or reads from a pipe, runs a shell. */
export function unwrapAwk(args: readonly ShellWord[], name: string): Inner {
  const sign = args.find(
    (arg) => LOADS.test(arg.value) || runsShell(arg.value) || (arg.fixed && isInput(arg)),
  );
  return sign === undefined
    ? NOTHING
    : unjudgeable(`${name}: its program can run commands: ${clip(sign.text)}`);
}

const LOADS = /^-[lEi]|^--(?:load|exec|include|source)/;
const STRING = /"(?:[^"\\]|\\.)*"/g;
/** Between two slashes a quote may be part of a pattern: then it is not clear what is a string. */
const QUOTE_IN_PATTERN = /\/[^/\n]*"[^/\n]*\//;
const RUNS = /system\s*\(|\|&?\s*getline|\bprintf?\b[^;{}\n]*(?<!\|)\|(?!\|)|@\s*\w/;

const runsShell = (program: string): boolean =>
  RUNS.test(QUOTE_IN_PATTERN.test(program) ? program : program.replaceAll(STRING, '""'));
