import { codeIn, dataUrl } from './code-in.ts';
import { type ScriptAround, fromFile, fromInput, type Inner, made, NOTHING, combine } from './inner.ts';
import type { Interpreter } from './interpreters.ts';
import { readOptions } from './options.ts';
import { fixedWord, type ShellWord } from './word.ts';

/** Opens the program that an interpreter runs: inline code, a file whose text is known, or its input. */
export function unwrapInterpreter(
  row: Interpreter,
  args: readonly ShellWord[],
  name: string,
  around: ScriptAround,
): Inner {
  const { found, rest, unknown } = readOptions(args, row);
  const end = found.findIndex((option) => row.ends?.includes(option.name));
  const own = end === -1 ? found : found.slice(0, end);
  const names = own.map((option) => option.name);
  const [program, ...words] = rest;
  const read = (text: string): Inner => codeIn(text, row.language, name);
  const given = own.flatMap(({ name: option, value }) =>
    row.code.includes(option) && value !== undefined ? [value] : [],
  );
  const loaded = own.flatMap(({ name: option, value }) =>
    row.loads?.includes(option) && value !== undefined ? [loadedBy(value, around, name, read)] : [],
  );
  // `node -p code`, `deno eval code`: the program is a separate word.
  const bare = names.some((option) => row.code.includes(option)) && given.length === 0;
  const sub = end === -1 && row.code.includes(program?.value ?? '');
  // The word after an unknown option may be its value rather than the program.
  const maybe = unknown.length > 0 ? codeBehind(args, row.code) : [];
  const texts = [...given, ...maybe, ...(sub ? words : bare && program !== undefined ? [program] : [])];
  const parts = texts.map((text) => read(text.content?.kind === 'text' ? text.content.text : text.value));
  for (const { content, text } of texts)
    if (content?.kind === 'made')
      parts.push(made(content, `${name} is given code made at run time: ${text}`));
  if (sub && words.length === 0) parts.push(fromInput(around.input, name, read, GUESS));
  if (texts.length > 0 || sub) return combine(...loaded, ...parts);
  const module = end === -1 ? undefined : found[end]?.value?.value;
  if (module !== undefined) return combine(...loaded, runsModule(module, rest, read));
  if (end !== -1 || names.some((option) => row.info?.includes(option))) return combine(...loaded);
  if (program === undefined || bare) return combine(...loaded, fromInput(around.input, name, read, GUESS));
  return combine(...loaded, fromFile(program, around, name, read, GUESS));
}

const GUESS = { isGuess: true } as const;

/** `--import data:…`, `--require file`. */
function loadedBy(
  value: ShellWord,
  around: ScriptAround,
  name: string,
  read: (text: string) => Inner,
): Inner {
  const code = value.value.startsWith('data:') ? dataUrl(value.value) : undefined;
  return code === undefined ? fromFile(value, around, name, read, GUESS) : read(code);
}

/** Modules whose arguments are code. */
const CODE_MODULES: ReadonlySet<string> = new Set(['timeit', 'code', 'asyncio', 'IPython', 'doctest']);
function runsModule(module: string, words: readonly ShellWord[], read: (text: string) => Inner): Inner {
  if (module === 'pdb' || module === 'profile' || module === 'cProfile')
    return combine(...words.filter(({ value }) => /\s|\(/.test(value)).map(({ value }) => read(value)));
  return CODE_MODULES.has(module) ? combine(...words.map(({ value }) => read(value))) : NOTHING;
}

function codeBehind(args: readonly ShellWord[], options: readonly string[]): ShellWord[] {
  return args.flatMap((arg, at) => {
    if (options.includes(arg.value) && arg.value.startsWith('-')) return args[at + 1] ?? [];
    const option = options.find((name) => name.startsWith('-') && arg.value.startsWith(`${name}=`));
    return option === undefined ? [] : [fixedWord(arg.value.slice(option.length + 1))];
  });
}
