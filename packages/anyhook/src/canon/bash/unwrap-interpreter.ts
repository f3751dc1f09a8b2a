import { type Inner, NOTHING, unjudgeable } from './inner.ts';
import type { Interpreter } from './interpreters.ts';
import { readOptions } from './options.ts';
import { isInput } from './unwrap-shell.ts';
import type { ShellWord } from './word.ts';

/** A program file is judged by its name, like any command; a program on the command line or input is not judged. */
export function unwrapInterpreter(row: Interpreter, args: readonly ShellWord[], name: string): Inner {
  const { found, rest, unknown } = readOptions(args, row);
  const end = found.findIndex((option) => row.ends?.includes(option.name));
  const names = (end === -1 ? found : found.slice(0, end)).map((option) => option.name);
  const [program] = rest;
  const inline =
    names.some((option) => row.code.includes(option)) ||
    (end === -1 && row.code.includes(program?.value ?? ''));
  // Behind an option nobody knows, the next word may be its value and not the program.
  const maybe =
    unknown.length > 0 && args.some((arg) => row.code.some((option) => isOption(arg.value, option)));
  if (inline || maybe) return unjudgeable(`${name} is given its program inline`);
  if (end !== -1 || names.some((option) => row.info?.includes(option))) return NOTHING;
  if (program === undefined || isInput(program))
    return unjudgeable(`${name} reads its program from its input`);
  return NOTHING;
}

const isOption = (word: string, option: string): boolean =>
  option.startsWith('-') && (word === option || word.startsWith(`${option}=`));
