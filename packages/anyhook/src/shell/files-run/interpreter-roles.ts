/** The roles of an interpreter's words: its program, as a file or as text, and the files that it loads. */

import type { CodeLanguage } from '../code-calls.ts';
import type { Interpreter } from '../interpreters.ts';
import { readOptions } from '../options.ts';
import type { ReadLanguage } from '../references/language.ts';
import { type CommandRoles, fromOf, type PlacedWord, type WordRole } from './word-role.ts';

const AS: Readonly<Record<CodeLanguage, ReadLanguage>> = {
  python: 'python',
  js: 'javascript',
  perl: 'perl',
  ruby: 'ruby',
  php: 'php',
  lua: 'lua',
  make: 'make',
  other: 'other',
};

/** The role of an option's value, if it is not code. */
const VALUES: Partial<Readonly<Record<CodeLanguage, Readonly<Record<string, WordRole['as']>>>>> = {
  python: { '-m': 'module' },
  perl: { '-I': 'folders' },
  ruby: { '-I': 'folders' },
  php: { '-f': 'run', '-c': 'run', '-F': 'run', '-t': 'named' },
};
/** Options that make an interpreter search for its program. */
const LOADING: Partial<Readonly<Record<CodeLanguage, readonly string[]>>> = {
  js: ['--test', '--run', '--build-snapshot-config'],
  perl: ['-d', '-S'],
  ruby: ['-S'],
};
/** Subcommands before the program. */
const SUBS: Readonly<Record<string, readonly string[]>> = { bun: ['run'], deno: ['run'], tsx: ['watch'] };

export function assignInterpreter(
  row: Interpreter,
  base: string,
  all: readonly PlacedWord[],
  found: CommandRoles,
): void {
  const language = AS[row.language];
  const { roles, doubts } = found;
  if (language === 'other')
    doubts.push(`${base} is not followed: what it loads besides its program cannot be told`);
  if (base === 'bun' || base === 'deno' || base === 'tsx' || base === 'ts-node')
    doubts.push(`${base} reads settings of the project that may load more code`);
  const isSub = SUBS[base]?.includes(all[0]?.value ?? '') ?? false;
  if (isSub) roles[all[0]!.index] = { as: 'option' };
  const args = isSub ? all.slice(1) : all;
  const read = readOptions(args, row);
  let hasProgram = false;
  let isModule = false;
  for (const { name, value: word } of read.found) {
    if (word === undefined) {
      if (row.code.includes(name) && name !== '-i') hasProgram = codeBehind(read.rest, language, roles);
      continue;
    }
    if (row.loads?.includes(name) === true && !/^(?:\.{0,2}\/|node:|data:)/.test(word.value))
      doubts.push(`the package ${word.value} is not bound`);
    if (name.startsWith('--env-file')) doubts.push(`${base} ${name} may hold options that load code`);
    const { skip = 0, ...role } = roleOf(row, name, word, language);
    roles[word.index] = { ...role, from: fromOf(word) + skip };
    if (role.as === 'code' && !/^-[Mm]$/.test(name)) hasProgram = true;
    if (role.as === 'module') {
      isModule = true;
      roles[word.index] = { as: 'module', language, from: fromOf(word), option: optionOf(word) };
      break;
    }
    if (row.language === 'php' && (role.as === 'run' || name === '-r')) hasProgram ||= name !== '-c';
  }
  for (const { name, value } of read.found)
    if (LOADING[row.language]?.includes(name) === true || value?.value.startsWith('pycache_prefix') === true)
      doubts.push(`${base} ${name} runs code that is not named`);
  for (const option of read.unknown)
    if (!option.includes('=') || /=.*[./]/.test(option))
      doubts.push(`${base} ${option}: an option that is not known here`);
  if (isModule || hasProgram || read.found.some(({ name }) => row.info?.includes(name) && name !== '-f'))
    return;
  const [program] = read.rest;
  if (program === undefined || program.value === '-') found.readsInput = language;
  else if (row.code.includes(program.value)) codeBehind(read.rest.slice(1), language, roles);
  else {
    if (base === 'node' && /^(?:inspect|debug)$/.test(program.value))
      doubts.push(`node ${program.value} is not followed`);
    roles[program.index] = { as: 'run', language };
  }
}

function roleOf(
  { language: of, code, loads }: Interpreter,
  name: string,
  { value: text }: PlacedWord,
  language: ReadLanguage,
): WordRole & { readonly skip?: number } {
  const value = VALUES[of]?.[name];
  if (value !== undefined) return { as: value, language };
  if (of === 'perl' && /^-[Mm]$/.test(name))
    return text.startsWith('lib=') ? { as: 'folders', skip: 4 } : { as: 'code', language };
  if (of === 'ruby' && name === '-r')
    return /^\.{0,2}\//.test(text) ? { as: 'run', language } : { as: 'named' };
  if (of === 'lua' && name === '-l') return { as: 'code', language };
  if (of === 'php' && name === '-d') {
    const setting = /^auto_(?:prepend|append)_file=/.exec(text)?.[0];
    return setting === undefined ? { as: 'named' } : { as: 'run', language, skip: setting.length };
  }
  if (code.includes(name)) return { as: 'code', language };
  if (loads?.includes(name)) return /^\.{0,2}\//.test(text) ? { as: 'run', language } : { as: 'named' };
  return { as: 'named' };
}

function codeBehind(rest: readonly PlacedWord[], language: ReadLanguage, roles: WordRole[]): boolean {
  const [text] = rest;
  if (text === undefined) return false;
  roles[text.index] = { as: 'code', language };
  return true;
}

/** The word that contains the option: `-m name`, `-um name`, `-mname`. */
const optionOf = (word: PlacedWord): number => (fromOf(word) > 0 ? word.index : word.index - 1);
