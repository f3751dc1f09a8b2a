/** Every command a bash text runs, as far as that can be known before it runs; and what cannot. */
import { SUBSCRIPT_CODE } from './hidden-code.ts';
import type { Inner, InnerText } from './inner.ts';
import { DEEPEST_WRAPPING, LONGEST_TEXT, MOST_COMMANDS } from './limits.ts';
import { isKnownName, readScript, type Setting, type SimpleCommand } from './read-script.ts';
import { CODE_SETTINGS, COMMAND_SETTINGS } from './settings.ts';
import { unwrap } from './unwrap.ts';
import { clip, isSetting, withHole, type ShellWord } from './word.ts';

export interface FoundCommands {
  readonly commands: readonly { readonly words: readonly string[]; readonly text: string }[];
  /** Why something in the text cannot be judged, one line each; empty when everything can. */
  readonly unjudgeable: readonly string[];
}

/**
 * The commands as written, and those inside them: substitutions, `bash -c`, wrappers such as `sudo`, `xargs`, `find
 * -exec`. Words are without quotes; what is expanded at run time stays as written.
 */
export function commandsIn(text: string): FoundCommands {
  const { commands, unjudgeable } = look(text);
  return {
    commands: commands.map((command) => ({
      words: command.words.map((word) => word.value),
      text: command.text,
    })),
    unjudgeable,
  };
}

export interface Findings {
  readonly commands: readonly SimpleCommand[];
  readonly settings: readonly Setting[];
  readonly writes: readonly ShellWord[];
  readonly unjudgeable: readonly string[];
}

/** The same with everything a rule needs: how much of each word is known, what is set, what is written. */
export function look(text: string): Findings {
  const search = new Search();
  search.read({ text, shell: 'bash' }, 0);
  return { ...search, unjudgeable: [...new Set(search.unjudgeable)] };
}

class Search implements Findings {
  readonly commands: SimpleCommand[] = [];
  readonly settings: Setting[] = [];
  readonly writes: ShellWord[] = [];
  readonly unjudgeable: string[] = [];
  /** Wrappers whose command may start anywhere yield the same tails again and again. */
  readonly #seen = new Set<string>();
  #readSoFar = 0;

  read({ text, shell, hole }: InnerText, depth: number): void {
    this.#readSoFar += text.length;
    if (depth > DEEPEST_WRAPPING)
      return this.#doubt(`wrapped more than ${DEEPEST_WRAPPING} times: ${clip(text)}`);
    if (this.#readSoFar > LONGEST_TEXT * (DEEPEST_WRAPPING + 1))
      return this.#doubt('the texts inside are too long');
    if (shell === 'other' && !SAME_IN_EVERY_SHELL.test(text))
      this.#doubt(`another shell may read it differently: ${clip(text)}`);
    const script = readScript(text);
    for (const reason of script.unjudgeable) this.#doubt(reason);
    for (const target of script.writes) this.writes.push(target);
    for (const { name, value } of script.settings) this.#set(name, value, depth);
    for (const command of script.commands) {
      const words = hole === undefined ? command.words : command.words.map((word) => withHole(word, hole));
      this.#add({ words, text: command.text }, depth);
    }
  }

  #add(command: SimpleCommand, depth: number): void {
    const [name] = command.words;
    if (this.commands.length >= MOST_COMMANDS) return this.#doubt(`more than ${MOST_COMMANDS} commands`);
    if (name === undefined || !isKnownName(name))
      return this.#doubt(`the command's name is known only at run time: ${clip(command.text)}`);
    if (depth > DEEPEST_WRAPPING)
      return this.#doubt(`wrapped more than ${DEEPEST_WRAPPING} times: ${clip(command.text)}`);
    this.commands.push(command);
    this.#open(unwrap(command.words), depth + 1);
  }

  #open(inner: Inner, depth: number): void {
    for (const reason of inner.unjudgeable) this.#doubt(reason);
    for (const word of inner.settings ?? []) this.#setWord(word, depth);
    for (const words of inner.commands) {
      const start = words.findIndex((word) => !isSetting(word));
      for (const word of start === -1 ? words : words.slice(0, start)) this.#setWord(word, depth);
      const command = start === -1 ? [] : words.slice(start);
      const text = command.map((word) => word.text).join(' ');
      if (command.length === 0 || this.#seen.has(text)) continue;
      this.#seen.add(text);
      this.#add({ words: command, text }, depth);
    }
    for (const text of inner.texts) this.read(text, depth);
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
    else if (!COMMAND_SETTINGS.has(name)) return;
    else if (value.fixed) this.read({ text: value.value, shell: 'bash' }, depth + 1);
    else this.#doubt(`${name} names a command known only at run time: ${clip(value.text)}`);
  }

  #doubt(reason: string): void {
    if (this.unjudgeable.length < MOST_REASONS) this.unjudgeable.push(reason);
  }
}

/** One reason decides; a few help a person. */
const MOST_REASONS = 100;

/** Words, quotes and `&&`, `||`, `|`, `;`: no expansion, no pattern, no grouping, no comment. */
const SAME_IN_EVERY_SHELL = /^(?:[\w\s./,:@%+'"&|;-]|(?<=\S)=)*$/;
