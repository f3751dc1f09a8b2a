/**
 * Analyses a shell text once: the acts that it runs, however deep they are wrapped, the variables that it sets, the files that
 * redirections write, and the parts that only run time knows. Matchers, danger presets, self-protection and trust query it.
 */

import { ShellAct } from './act.ts';
import { NO_BASH, SUBSCRIPT_CODE } from './hidden-code.ts';
import { fromFile, type Inner, type InnerText, runsText } from './inner.ts';
import { CUT, DEEPEST_WRAPPING, LONGEST_INSIDE, MOST_COMMANDS, MOST_WORDS } from './limits.ts';
import { commandsOfOther, isInDoubt } from './other-shells.ts';
import { type Input, mayFeed, NO_INPUT } from './outputs.ts';
import { readScript, type ShellAssignment, type SimpleCommand } from './read-script.ts';
import { CODE_SETTINGS, COMMAND_SETTINGS, FILE_SETTINGS, OPTION_SETTINGS } from './settings.ts';
import { unwrap } from './unwrap.ts';
import { Values } from './values.ts';
import { isKnownName, clip, fixedWord, isSetting, withHole, type ShellWord } from './word.ts';

export interface FoundCommands {
  readonly commands: readonly { readonly words: readonly string[]; readonly text: string }[];
  /** Why parts of the text cannot be judged, one reason each; empty if all of it can. */
  readonly unjudgeable: readonly string[];
}

/**
 * The commands of a text, including those in substitutions, in `bash -c` and in wrappers such as `sudo`, `xargs` and `find
 * -exec`. Quotes are removed from words. Expansions that only run time knows keep their spelling.
 */
export function commandsIn(text: string): FoundCommands {
  const { acts, unjudgeable } = analyseShell(text);
  return {
    commands: acts.map((act) => ({ words: act.words.map(({ value }) => value), text: act.text })),
    unjudgeable,
  };
}

export interface ShellAnalysis {
  readonly acts: readonly ShellAct[];
  readonly settings: readonly ShellAssignment[];
  readonly writes: readonly ShellWord[];
  readonly unjudgeable: readonly string[];
  /** The text exceeds a limit, so some of it was not analysed. */
  readonly isCut: boolean;
  /** Programs that fetch the code which the same text runs. */
  readonly fetched: readonly string[];
}

export function analyseShell(text: string): ShellAnalysis {
  const search = new Search();
  search.read({ text, shell: 'bash' }, 0, NO_INPUT);
  return { ...search, unjudgeable: [...new Set(search.unjudgeable)] };
}

/** Several hooks and guards judge the same command one after the other, so the last result is kept. */
let lastAnalysis: { readonly text: string; readonly analysis: ShellAnalysis } | undefined;

export function analyseOnce(text: string): ShellAnalysis {
  if (lastAnalysis?.text !== text) lastAnalysis = { text, analysis: analyseShell(text) };
  return lastAnalysis.analysis;
}

class Search implements ShellAnalysis {
  readonly acts: ShellAct[] = [];
  readonly settings: ShellAssignment[] = [];
  readonly writes: ShellWord[] = [];
  readonly unjudgeable: string[] = [];
  readonly fetched: string[] = [];
  isCut = false;
  /** Commands that were already opened. Wrappers whose command may start at any word yield the same words repeatedly. */
  readonly #opened = new Set<string>();
  readonly #values = new Values();
  #inside = 0;
  #words = 0;

  read({ text, shell, hole, isGuess }: InnerText, depth: number, given?: Input): void {
    const input = given === NO_INPUT && mayFeed(text) ? undefined : given;
    if (depth > DEEPEST_WRAPPING)
      return this.#giveUp(`wrapped more than ${DEEPEST_WRAPPING} times: ${clip(text)}`);
    if (depth > 0 && (this.#inside += text.length) > LONGEST_INSIDE)
      return this.#giveUp('the texts inside are too long');
    if (depth > 0 && text.includes(CUT)) return this.#giveUp('a program on the input is too long');
    const isSame = shell === 'bash' || SAME_IN_EVERY_SHELL.test(text);
    if (shell === 'other' && !isSame) this.#doubt(`another shell may read it differently: ${clip(text)}`);
    const script = readScript(text, this.#values);
    const isBash = !script.unjudgeable.some((reason) => reason.startsWith(NO_BASH));
    const isForeign = shell === 'foreign' && !(isBash && isSame);
    if (isForeign) this.#readForeign(text, depth);
    for (const reason of isForeign ? [] : script.unjudgeable)
      if (isGuess !== true || !reason.startsWith(NO_BASH)) this.#doubt(reason);
    if (script.isCut) this.isCut = true;
    for (const target of script.writes) this.writes.push(target);
    for (const { name, value } of script.settings) this.#set(name, value, depth);
    for (const command of script.commands) {
      const words = hole === undefined ? command.words : command.words.map((word) => withHole(word, hole));
      const own = command.input ?? input;
      this.#add({ words, text: command.text, ...(own && { input: own }) }, depth);
    }
  }

  /** Splits a text that bash cannot parse as other shells do. */
  #readForeign(text: string, depth: number): void {
    if (isInDoubt(text)) this.#doubt(`another shell may read it differently: ${clip(text)}`);
    for (const words of commandsOfOther(text))
      this.#add({ words, text: words.map((word) => word.text).join(' ') }, depth);
  }

  #add(command: SimpleCommand, depth: number): void {
    const [name] = command.words;
    if (this.acts.length >= MOST_COMMANDS) return this.#giveUp(`more than ${MOST_COMMANDS} commands`);
    if (name === undefined || !isKnownName(name))
      return this.#doubt(`the command's name is known only at run time: ${clip(command.text)}`);
    if (depth > DEEPEST_WRAPPING)
      return this.#giveUp(`wrapped more than ${DEEPEST_WRAPPING} times: ${clip(command.text)}`);
    this.#words += command.words.length;
    if (this.#words > MOST_WORDS) return this.#giveUp('the commands inside are too many');
    this.acts.push(new ShellAct(command));
    const { input } = command;
    this.#open(unwrap(command.words, { values: this.#values, ...(input && { input }) }), depth + 1, input);
  }

  #open(inner: Inner, depth: number, input?: Input): void {
    for (const reason of inner.unjudgeable) this.#doubt(reason);
    this.fetched.push(...(inner.fetched ?? []));
    for (const word of inner.settings ?? []) this.#setWord(word, depth);
    for (const words of inner.commands) {
      if (this.#words + words.length > MOST_WORDS) return this.#giveUp('the commands inside are too many');
      const start = words.findIndex((word) => !isSetting(word));
      for (const word of start === -1 ? words : words.slice(0, start)) this.#setWord(word, depth);
      const command = start === -1 ? [] : words.slice(start);
      const text = command.map((word) => word.text).join(' ');
      if (command.length === 0) continue;
      if (this.#opened.has(text)) {
        this.#words += command.length;
        continue;
      }
      this.#opened.add(text);
      this.#add({ words: command, text, ...(input && { input }) }, depth);
    }
    for (const text of inner.texts) this.read(text, depth, input);
  }

  #setWord(word: ShellWord, depth: number): void {
    const equals = word.value.indexOf('=');
    const cut = (text: string) => text.slice(equals + 1);
    if (!word.single) this.#doubt(`the command's place is known only at run time: ${clip(word.text)}`);
    const value = { ...word, value: cut(word.value), lead: cut(word.lead), literal: cut(word.literal) };
    this.#set(word.value.slice(0, equals).replace(/\+$/, ''), value, depth);
  }

  #set(name: string, value: ShellWord, depth: number): void {
    this.settings.push({ name, value });
    if (CODE_SETTINGS.test(name.replace(/%%$/, ''))) this.#doubt(`${name} holds code`);
    else if (SUBSCRIPT_CODE.test(value.literal))
      this.#doubt(`${name} holds a subscript that may be evaluated: ${clip(value.text)}`);
    else if (FILE_SETTINGS.has(name))
      this.#open(
        fromFile(value, { values: this.#values }, name, (text) => runsText(fixedWord(text))),
        depth + 1,
      );
    else if (COMMAND_SETTINGS.has(name)) this.read({ text: value.value, shell: 'bash' }, depth + 1);
    else if (OPTION_SETTINGS.has(name) && /\bdata:|--?(?:eval|e|p|print)\b/.test(value.value))
      this.#doubt(`${name} holds code: ${clip(value.text)}`);
  }

  #giveUp(reason: string): void {
    this.isCut = true;
    this.#doubt(reason);
  }

  #doubt(reason: string): void {
    if (this.unjudgeable.length < MOST_REASONS) this.unjudgeable.push(reason);
  }
}

/** One reason is enough to decide; a few more help a reader. */
const MOST_REASONS = 100;

/** Text that every shell reads alike: words, quotes, `&&`, `||`, `|`, `;`, `>`, plain variables and stars. */
const SAME_IN_EVERY_SHELL = /^(?:[\w\s./,:@%+'"&|;>-]|\*(?!\()|\$\{?\w+\}?|(?<=\S)=)*$/;
