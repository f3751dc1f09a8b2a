/** Parses one bash text: its simple commands at any depth, and the parts that only run time knows. */

import { createRequire } from 'node:module';
import type * as Unbash from 'unbash';
import type { Assignment, Command, ParsedScript, Pipeline, Redirection, SyntaxNode, Word } from 'unbash';
import { thrownText } from '../events/thrown.ts';
import { hiddenCode, type Quoting } from './hidden-code.ts';
import { MOST_COMMANDS, MOST_SCRIPT_COMMANDS, shortened, tooBig } from './limits.ts';
import { type Input, textOf } from './outputs.ts';
import { UNKNOWN, Values } from './values.ts';
import { baseBehind, clip, fixedWord, isKnownName, knownWord, readWord, type ShellWord } from './word.ts';

/** Loaded with the first text, because most events have none. */
let loaded: typeof Unbash | undefined;
const unbash = () => (loaded ??= createRequire(import.meta.url)('unbash') as typeof Unbash);
/** Yarn's Plug'n'Play keeps packages in archives, from which Node loads ES modules by `import` only. */
export async function importShellParser(): Promise<void> {
  loaded ??= await import('unbash');
}

export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  /** As written, with its assignments and redirections. */
  readonly text: string;
  /** What the command reads from its input, if the text says so. */
  readonly input?: Input;
}

/** `NAME=value`, before a command or alone. */
export interface ShellAssignment {
  readonly name: string;
  readonly value: ShellWord;
}

export interface ScriptReading {
  readonly commands: SimpleCommand[];
  readonly settings: ShellAssignment[];
  /** Files that redirections write. */
  readonly writes: ShellWord[];
  readonly unjudgeable: string[];
  /** The text exceeds a limit, so some of it was not read. */
  isCut: boolean;
}

export function readScript(
  text: string,
  values: Values = new Values(),
  source: 'line' | 'file' = 'line',
): ScriptReading {
  const reading: ScriptReading = { commands: [], settings: [], writes: [], unjudgeable: [], isCut: false };
  const short = shortened(text);
  const big = tooBig(short, source);
  const giveUp = (why: string) => {
    reading.unjudgeable.push(why);
    reading.isCut = true;
  };
  if (big !== undefined) giveUp(big);
  else if (text.includes('\0')) giveUp('it holds a NUL character');
  else {
    try {
      const script = unbash().parse(short);
      const most = source === 'line' ? MOST_COMMANDS : MOST_SCRIPT_COMMANDS;
      const walk = new Walk(reading, values, most);
      walk.over(script, short);
      // The arguments of a function are known only after its body, so the text is read again.
      if (walk.calls > 0) new Walk(reading, values, most).over(script, short);
    } catch (error) {
      // The parser throws for node types it does not know and may run out of stack.
      giveUp(`it cannot be parsed: ${thrownText(error)}`);
    }
  }
  return reading;
}

interface Place {
  readonly node: SyntaxNode;
  readonly source: string;
  readonly quoting: Quoting;
}

class Walk {
  readonly #reading: ScriptReading;
  readonly #values: Values;
  readonly #mostCommands: number;
  readonly #piped = new Map<SyntaxNode, Input>();
  readonly #functions = new Set<string>();
  /** How often the text calls one of its functions with arguments. */
  calls = 0;

  constructor(reading: ScriptReading, values: Values, mostCommands: number) {
    this.#mostCommands = mostCommands;
    this.#reading = reading;
    this.#values = values;
  }

  over(script: ParsedScript, text: string): void {
    const reading = this.#reading;
    const open: Place[] = [{ node: script, source: text, quoting: 'plain' }];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const { node } = place;
      const source = node.type === 'Script' ? (node.source ?? place.source) : place.source;
      const { quoting, why } = hiddenCode(node, place.quoting, source);
      if (why !== undefined) reading.unjudgeable.push(why);
      this.#visit(node, source);
      if (reading.commands.length > this.#mostCommands) {
        reading.unjudgeable.push(`more than ${this.#mostCommands} commands`);
        reading.isCut = true;
        return;
      }
      const children: Place[] = [];
      unbash().forEachChild(node, (child) => children.push({ node: child, source, quoting }));
      for (let child = children.pop(); child !== undefined; child = children.pop()) open.push(child);
    }
  }

  #visit(node: SyntaxNode, source: string): void {
    switch (node.type) {
      case 'Command':
        return this.#command(node, source);
      case 'Assignment':
        return this.#setting(node);
      case 'Pipeline':
        return this.#pipe(node);
      case 'Redirected': {
        const input = this.#values.inputOf({ redirects: node.redirects }, this.#piped.get(node));
        if (input !== undefined) this.#feed(node.command, input);
        return;
      }
      case 'Subshell':
      case 'BraceGroup':
      case 'While':
      case 'If': {
        const input = this.#piped.get(node);
        if (input !== undefined) this.#feed(node, input);
        return;
      }
      case 'Function':
        this.#functions.add(node.name.value);
        return;
      case 'For': {
        const words = (node.wordlist ?? []).flatMap((word) => this.#values.expand(word) ?? []);
        for (const word of words.flat()) this.#values.add(node.name.value, [word]);
        return;
      }
      default:
        return this.#write(node);
    }
  }

  /** The output of a command is the input of the next one, or of the commands inside it. */
  #pipe({ commands }: Pipeline): void {
    let input: Input | undefined;
    for (const command of commands) {
      if (input !== undefined) this.#feed(command, input);
      input = this.#values.printed(command, input);
    }
  }

  #feed(node: SyntaxNode, input: Input): void {
    this.#piped.set(node, input);
    if (node.type === 'Command') return;
    unbash().forEachChild(node, (child) => {
      if (FEEDS_THROUGH.has(child.type)) this.#feed(child, input);
    });
  }

  #command(node: Command, source: string): void {
    if (node.name === undefined) return;
    const text = source.slice(node.pos, node.end);
    const input = this.#values.inputOf(node, this.#piped.get(node));
    const lists = this.#alternatives(node);
    for (const words of lists) {
      const [name] = words;
      if (name === undefined) continue;
      if (isKnownName(name)) this.#reading.commands.push({ words, text, ...(input && { input }) });
      else this.#reading.unjudgeable.push(`the command's name is known only at run time: ${clip(text)}`);
    }
    this.#remember(node, lists[0] ?? []);
  }

  /** The words as the program receives them, once per value that a variable may have. */
  #alternatives(node: Command): ShellWord[][] {
    let lists: ShellWord[][] = [[]];
    for (const [at, word] of [node.name, ...node.args].entries()) {
      if (word === undefined) continue;
      const choices = this.#readings(word, at === 0 ? 'name' : 'argument');
      const [only] = choices;
      if (choices.length === 1 && only !== undefined) for (const list of lists) list.push(...only);
      else
        lists = lists.flatMap((list) => choices.map((choice) => [...list, ...choice])).slice(0, MOST_LISTS);
    }
    return lists;
  }

  #readings(word: Word | Assignment, place: 'name' | 'argument'): ShellWord[][] {
    const plain = readWord(word);
    if (plain.fixed || word.type !== 'Word') return [[plain]];
    const known = this.#values.expand(word);
    if (known !== undefined)
      return known.map((values) =>
        values.map((value) => knownWord(value, values.length === 1 ? plain.text : value)),
      );
    const around = this.#values.expandAround(word);
    if (around !== undefined && around.some((words) => words.length > 1))
      return around.map((words) => words.map(unmarked));
    const base = place === 'name' ? baseBehind(plain) : undefined;
    if (base !== undefined) return [[{ ...fixedWord(base), text: plain.text }]];
    const content = this.#values.substituted(word);
    return [[content === undefined ? plain : { ...plain, content }]];
  }

  /** Records what later commands can use: positional arguments, other names of commands, files that this one writes. */
  #remember(node: Command, words: readonly ShellWord[]): void {
    const [name, ...args] = words;
    if (name !== undefined && args.length > 0 && this.#functions.has(name.value)) {
      this.calls++;
      this.#values.add('@', valuesOf(args));
    }
    if (name?.value === 'set' && args[0]?.value === '--') this.#values.add('@', valuesOf(args.slice(1)));
    this.#rename(name?.value ?? '', args);
    if (name?.value === 'printf' && args[0]?.value === '-v') this.#printInto(args.slice(1));
    const target = node.redirects.find(
      (redirect) => redirect.type === 'Redirect' && /^>[>|]?$|^&>/.test(redirect.operator),
    );
    const file =
      name?.value === 'tee'
        ? args.find(({ value }) => !value.startsWith('-'))
        : target?.type === 'Redirect' && target.target !== undefined
          ? readWord(target.target)
          : undefined;
    if (file === undefined) return;
    if (name?.value === 'cat' && args.length === 1) this.#rename('cp', [...args, file]);
    const printed = this.#values.printed(node, this.#piped.get(node));
    if (printed.kind === 'text') this.#values.write(file, printed.text);
  }

  /** `printf -v name format words` assigns a variable. */
  #printInto([name, ...args]: readonly ShellWord[]): void {
    if (name === undefined || !/^\w+$/.test(name.value)) return;
    const printed = textOf(['printf', ...valuesOf(args)]);
    if (printed?.kind !== 'text') return;
    this.#values.add(name.value, [printed.text]);
    const fixed = args.every((arg) => arg.fixed);
    this.#reading.settings.push({ name: name.value, value: { ...fixedWord(printed.text), fixed } });
  }

  /** Commands that give another command a second name. */
  #rename(name: string, args: readonly ShellWord[]): void {
    const operands = args.map(({ value }) => value).filter((value) => !value.startsWith('-'));
    const [first = '', second = ''] = operands;
    if (name === 'alias')
      for (const value of operands) {
        const [, alias = '', command] = /^([^=]+)=(.*)$/s.exec(value) ?? [];
        if (command !== undefined) this.#values.rename(alias, command);
      }
    else if (name === 'hash' && operands.length === 2) this.#values.rename(second, first);
    else if (/^(?:ln|cp|mv|install)$/.test(name) && /(?:^|\/)bin\/[^/]+$/.test(first) && second !== '')
      this.#values.rename(second, first);
  }

  #setting(node: Assignment): void {
    const joined = this.#values.assign(node);
    const plain =
      node.value.type === 'Word' && node.index === undefined ? readWord(node.value) : readWord(node);
    const known =
      node.value.type === 'Word' && !plain.fixed ? this.#values.expand(node.value, 'value') : undefined;
    const whole = node.append === true ? joined : known?.[0];
    const value = whole === undefined ? plain : knownWord(whole.join(' '), plain.text);
    this.#reading.settings.push({ name: node.name, value });
  }

  #write(node: SyntaxNode): void {
    if (
      !isRedirection(node) ||
      node.type !== 'Redirect' ||
      node.target === undefined ||
      node.operator === '<'
    )
      return;
    const target = readWord(node.target);
    const isDescriptor =
      (node.operator === '>&' || node.operator === '<&') && /^(\d+-?|-)$/.test(target.value);
    if (!(isDescriptor && target.fixed)) this.#reading.writes.push(target);
  }
}

/** A word that is only partly known. */
function unmarked(value: string): ShellWord {
  const at = value.indexOf(UNKNOWN);
  const plain = value.replaceAll(UNKNOWN, '');
  if (at === -1) return fixedWord(plain);
  return {
    ...fixedWord(plain),
    fixed: false,
    lead: value.slice(0, at),
    trail: value.slice(value.lastIndexOf(UNKNOWN) + 1),
  };
}

const MOST_LISTS = 8;
const FEEDS_THROUGH: ReadonlySet<string> = new Set(
  'Command Statement CompoundList AndOr Subshell BraceGroup If While Redirected Pipeline'.split(' '),
);

const isRedirection = (node: SyntaxNode): node is Redirection =>
  node.type === 'Redirect' || node.type === 'HereString' || node.type === 'HereDoc';

const valuesOf = (words: readonly ShellWord[]): string[] => words.map(({ value }) => value);
