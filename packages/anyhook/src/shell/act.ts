/** One command that a shell text runs, with its options read. */

import { COMMAND_OPTIONS, type OptionTable } from './command-options.ts';
import { wholeName } from './options.ts';
import type { Input } from './outputs.ts';
import type { ScriptPlace } from './script-file.ts';
import { programName, type ShellWord } from './word.ts';

/** A command that a shell text runs, however deep it is wrapped. */
export class ShellAct {
  readonly words: readonly ShellWord[];
  /** As written, with its assignments and redirections. */
  readonly text: string;
  /** What the command reads from its input, if the text says so. */
  readonly input?: Input;
  /** The file that contains the command, if it is not in the command line itself. */
  readonly from?: ScriptPlace;
  /** The name of the program, without its folder. */
  readonly program: string;
  #args: readonly string[] | undefined;
  #invocation: Invocation | undefined;

  constructor({ words, text, input, from }: Pick<ShellAct, 'words' | 'text' | 'input' | 'from'>) {
    this.words = words;
    this.text = text;
    if (input !== undefined) this.input = input;
    if (from !== undefined) this.from = from;
    this.program = programName(words[0]?.value ?? '');
  }

  /** The words behind the program. */
  get args(): readonly string[] {
    return (this.#args ??= this.words.slice(1).map(({ value }) => value));
  }

  get invocation(): Invocation {
    return (this.#invocation ??= invocationOf(this.words));
  }
}

/** The subcommand, options and operands of a command. */
export interface Invocation {
  /** Program and subcommand, such as `git push`, without the options between them. */
  readonly command: string;
  /** Names from `command-options.ts`, without dashes. Options that the table does not contain keep their spelling. */
  readonly options: ReadonlySet<string>;
  readonly operands: readonly ShellWord[];
}

interface Spellings {
  readonly short: ReadonlyMap<string, Option>;
  readonly long: ReadonlyMap<string, Option>;
  readonly hasSubcommands: boolean;
}
interface Option {
  readonly names: readonly string[];
  readonly takes: '' | ':' | '::';
}

/** Read when a command is first asked for: a program that lives for one event sees few of them. */
const TABLE = new Map<string, Spellings>();
let rows: ReadonlyMap<string, OptionTable> | undefined;
function spellingsFor(command: string): Spellings | undefined {
  const known = TABLE.get(command);
  if (known !== undefined) return known;
  rows ??= new Map(COMMAND_OPTIONS.flatMap((row) => namesOf(row.names).map((name) => [name, row])));
  const row = rows.get(command);
  if (row === undefined) return undefined;
  const spellings = spellingsOf(row.options, row.hasSubcommands === true ? 'first' : 'anywhere');
  TABLE.set(command, spellings);
  return spellings;
}

/** `rm grm` are two programs; with a `|`, or subcommands of git, each stands for itself. */
function namesOf(names: string): string[] {
  if (names.includes('|')) return names.split('|');
  return names.startsWith('git ') ? names.split(/ (?=git )/) : names.split(' ');
}

function spellingsOf(source: string, options: 'first' | 'anywhere'): Spellings {
  const [short, long] = [new Map<string, Option>(), new Map<string, Option>()];
  for (const entry of source.split(' ').filter((word) => word !== '')) {
    const [, words = '', same, takes = ''] = /^([^:=]+)(?:=([^:]+))?(:{0,2})$/.exec(entry) ?? [];
    const spellings = words.split(',');
    const option: Option = {
      names: same?.split(',') ?? [spellings[0] ?? ''],
      takes: takes as Option['takes'],
    };
    for (const spelling of spellings) (spelling.length === 1 ? short : long).set(spelling, option);
  }
  return { short, long, hasSubcommands: options === 'first' };
}

const PLAIN: Spellings = spellingsOf('', 'anywhere');

export function invocationOf(words: readonly ShellWord[]): Invocation {
  let command = programName(words[0]?.value ?? '');
  let rest = words.slice(1);
  let row = spellingsFor(command);
  const options = new Set<string>();
  while (row?.hasSubcommands === true) {
    const own = read(rest, row, 'until-operand');
    const [sub] = own.operands;
    if (sub === undefined) return { command, options: own.options, operands: [] };
    command += ` ${sub.value}`;
    rest = own.operands.slice(1);
    if (!command.startsWith('git ')) for (const option of own.options) options.add(option);
    row = spellingsFor(command);
  }
  const own = read(rest, row ?? PLAIN, 'all');
  for (const option of own.options) options.add(option);
  return { command, options, operands: own.operands };
}

/** The options of a rule's word (`-rf`, `--force`) under the names of the table; undefined for what is no plain option. */
export function optionsIn(command: string, word: string): readonly string[] | undefined {
  if (!/^-[-\w]+$/.test(word) || word === '--') return undefined;
  const row = spellingsFor(command) ?? PLAIN;
  const options = new Set<string>();
  readWord(word, row, options);
  return [...options];
}

/** Does the table know this command? Only then are its options more than their letters. */
export const isTabled = (command: string): boolean => spellingsFor(command) !== undefined;

function read(words: readonly ShellWord[], row: Spellings, upTo: 'until-operand' | 'all') {
  const options = new Set<string>();
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    if (word.value === '--') return { options, operands: [...operands, ...words.slice(at + 1)] };
    if (!/^-./.test(word.lead)) {
      if (upTo === 'until-operand') return { options, operands: words.slice(at) };
      operands.push(word);
      continue;
    }
    if (readWord(word.value, row, options) === 'takes-next') at++;
  }
  return { options, operands };
}

function readWord(word: string, row: Spellings, into: Set<string>): 'takes-next' | 'complete' {
  const put = ({ names }: Option): void => names.forEach((name) => into.add(name));
  if (word.startsWith('--') || (row.short.size === 0 && word.length > 2)) {
    const [, written = '', value] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const option = row.long.get(wholeName(written, row.long)) ?? { names: [written], takes: '' };
    put(option);
    return option.takes === ':' && value === undefined ? 'takes-next' : 'complete';
  }
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at);
    const option = row.short.get(letter) ?? { names: [letter], takes: '' };
    put(option);
    if (option.takes === '') continue;
    return option.takes === ':' && at === word.length - 1 ? 'takes-next' : 'complete';
  }
  return 'complete';
}
