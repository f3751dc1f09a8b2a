/**
 * Analyses a shell text once: the acts that it runs, however deep they are wrapped, the variables that it sets, the files that
 * redirections write, and the parts that only run time knows. Matchers, danger presets, self-protection and trust query it.
 */

import { ShellAct } from './act.ts';
import { NO_BASH, SUBSCRIPT_CODE } from './hidden-code.ts';
import { type CodeUse, fromFile, type Inner, type InnerText, runsText } from './inner.ts';
import {
  CUT,
  DEEPEST_WRAPPING,
  LONGEST_INSIDE,
  LONGEST_SCRIPT,
  MOST_COMMANDS,
  MOST_SCRIPT_COMMANDS,
  MOST_SCRIPT_WORDS,
  MOST_WORDS,
} from './limits.ts';
import { commandsOfOther, isInDoubt } from './other-shells.ts';
import { type Input, mayFeed, NO_INPUT } from './outputs.ts';
import { enteredFolder } from './path-uses.ts';
import { readScript, type ShellAssignment, type SimpleCommand } from './read-script.ts';
import {
  codeParts,
  DEEPEST_SCRIPT,
  isForeignScript,
  isInstalled,
  lineIn,
  type RunFile,
  type ScriptPlace,
  type ScriptScene,
  ScriptSearch,
} from './script-file.ts';
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
  /** What code of other languages does with files and addresses. */
  readonly used: readonly CodeUse[];
  /** The acts whose inner commands or code are part of the result, such as `sudo`, `bash -c` and `make`. */
  readonly opened: ReadonlySet<ShellAct>;
  readonly unjudgeable: readonly string[];
  /** The text exceeds a limit, so some of it was not analysed. */
  readonly isCut: boolean;
  /** Programs that fetch the code which the same text runs. */
  readonly fetched: readonly string[];
  /** The text runs files, which only an analysis with a `scene` reads. */
  readonly runsFiles: boolean;
  /** The files that the text runs and that were read, with their texts. */
  readonly scripts: ReadonlyMap<string, string>;
}

/** With a `scene`, the acts of the files that the text runs are part of the result. */
export function analyseShell(text: string, scene?: ScriptScene): ShellAnalysis {
  return analyseIn(text, scene && new ScriptSearch(scene));
}

function analyseIn(text: string, scripts: ScriptSearch | undefined): ShellAnalysis {
  const search = new Search(scripts);
  search.read({ text, shell: 'bash' }, 0, NO_INPUT);
  const { acts, settings, writes, used, opened, fetched, isCut, runsFiles, scripts: read } = search;
  return {
    acts,
    settings,
    writes,
    used,
    opened,
    fetched,
    isCut,
    runsFiles,
    scripts: read,
    unjudgeable: [...new Set(search.unjudgeable)],
  };
}

interface KeptAnalysis {
  readonly text: string;
  readonly scene?: ScriptScene;
  readonly versions?: ReadonlyMap<string, string>;
  readonly analysis: ShellAnalysis;
}

/** Several hooks and guards judge the same command one after the other, so the last results are kept. */
const kept: { line?: KeptAnalysis; files?: KeptAnalysis } = {};

export function analyseOnce(text: string, scene?: ScriptScene): ShellAnalysis {
  // Most commands run no file, and one analysis then answers all questions.
  if (scene !== undefined) {
    const line = analyseOnce(text);
    if (!line.runsFiles) return line;
  }
  const at = scene === undefined ? 'line' : 'files';
  const last = kept[at];
  if (last?.text === text && isSameScene(last, scene)) return last.analysis;
  const scripts = scene && new ScriptSearch(scene);
  const analysis = analyseIn(text, scripts);
  kept[at] = {
    text,
    analysis,
    ...(scene && { scene }),
    ...(scripts && { versions: scripts.versions }),
  };
  return analysis;
}

/** A file may change between two questions about the same command. */
function isSameScene(last: KeptAnalysis, scene: ScriptScene | undefined): boolean {
  if (last.scene?.files !== scene?.files || last.scene?.cwd !== scene?.cwd) return false;
  return [...(last.versions ?? [])].every(([path, version]) => scene?.files.versionOf(path) === version);
}

class Search {
  readonly acts: ShellAct[] = [];
  readonly settings: ShellAssignment[] = [];
  readonly writes: ShellWord[] = [];
  readonly used: CodeUse[] = [];
  readonly opened = new Set<ShellAct>();
  readonly unjudgeable: string[] = [];
  readonly fetched: string[] = [];
  readonly scripts = new Map<string, string>();
  isCut = false;
  runsFiles = false;
  /** Commands that were already opened. Wrappers whose command may start at any word yield the same words repeatedly. */
  readonly #opened = new Set<string>();
  readonly #values = new Values();
  readonly #scripts: ScriptSearch | undefined;
  /** The files that are being read, the innermost last. */
  readonly #inFiles: {
    readonly path: string;
    readonly text: string;
    readonly isGuess: boolean;
    readonly isScript: boolean;
  }[] = [];
  readonly #openedFiles = new Set<string>();
  #inside = 0;
  #words = 0;
  #commandsInFiles = 0;
  #wordsInFiles = 0;

  constructor(scripts: ScriptSearch | undefined) {
    this.#scripts = scripts;
  }

  read({ text, shell, hole, isGuess }: InnerText, depth: number, given?: Input): void {
    const input = given === NO_INPUT && mayFeed(text) ? undefined : given;
    if (depth > DEEPEST_WRAPPING)
      return this.#giveUp(`wrapped more than ${DEEPEST_WRAPPING} times: ${clip(text)}`);
    const inFile = this.#inFiles.at(-1);
    const longest = inFile === undefined ? LONGEST_INSIDE : LONGEST_SCRIPT;
    if (depth > 0 && (this.#inside += text.length) > longest)
      return this.#giveUp('the texts inside are too long');
    if (depth > 0 && text.includes(CUT)) return this.#giveUp('a program on the input is too long');
    const isSame = shell === 'bash' || SAME_IN_EVERY_SHELL.test(text);
    if (shell === 'other' && !isSame) this.#doubt(`another shell may read it differently: ${clip(text)}`);
    const script = readScript(text, this.#values, inFile === undefined ? 'line' : 'file');
    const isBash = !script.unjudgeable.some((reason) => reason.startsWith(NO_BASH));
    const isForeign = shell === 'foreign' && !(isBash && isSame);
    if (isForeign) this.#readForeign(text, depth);
    for (const reason of isForeign ? [] : script.unjudgeable)
      if (isGuess !== true || !reason.startsWith(NO_BASH))
        this.#doubt(reason, script.isCut || (!isBash && depth === 1 && inFile?.isScript === true));
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
    const inFile = this.#inFiles.at(-1);
    if (inFile === undefined && this.acts.length - this.#commandsInFiles >= MOST_COMMANDS)
      return this.#giveUp(`more than ${MOST_COMMANDS} commands`);
    if (this.#commandsInFiles >= MOST_SCRIPT_COMMANDS)
      return this.#giveUp(`more than ${MOST_SCRIPT_COMMANDS} commands`);
    if (name === undefined || !isKnownName(name))
      return this.#doubt(`the command's name is known only at run time: ${clip(command.text)}`);
    if (depth > DEEPEST_WRAPPING)
      return this.#giveUp(`wrapped more than ${DEEPEST_WRAPPING} times: ${clip(command.text)}`);
    if (!this.#hasRoomFor(command.words.length)) return;
    this.#countWords(command.words.length);
    if (inFile !== undefined) this.#commandsInFiles++;
    const act = new ShellAct({ ...command, ...(inFile && { from: this.#placeOf(command.text) }) });
    this.acts.push(act);
    const folder = enteredFolder(act);
    if (folder?.fixed === true) this.#scripts?.enter(folder.value);
    const { input } = command;
    const found = this.#found;
    this.#open(unwrap(command.words, { values: this.#values, ...(input && { input }) }), depth + 1, input);
    if (this.#found > found) this.opened.add(act);
  }

  get #found(): number {
    return this.acts.length + this.used.length;
  }

  #open(inner: Inner, depth: number, input?: Input): void {
    for (const reason of inner.unjudgeable) this.#doubt(reason, inner.fed?.includes(reason));
    this.fetched.push(...(inner.fetched ?? []));
    this.used.push(...(inner.used ?? []));
    for (const word of inner.settings ?? []) this.#setWord(word, depth);
    const isGuess = this.#inFiles.at(-1)?.isGuess === true;
    for (const words of inner.commands) {
      if (isGuess && words.some(isComputed)) continue;
      if (!this.#hasRoomFor(words.length)) return;
      const start = words.findIndex((word) => !isSetting(word));
      for (const word of start === -1 ? words : words.slice(0, start)) this.#setWord(word, depth);
      const command = start === -1 ? [] : words.slice(start);
      const text = command.map((word) => word.text).join(' ');
      if (command.length === 0) continue;
      if (this.#opened.has(text)) {
        this.#countWords(command.length);
        continue;
      }
      this.#opened.add(text);
      this.#add({ words: command, text, ...(input && { input }) }, depth);
    }
    for (const text of inner.texts) this.read(text, depth, input);
    for (const file of inner.files ?? []) this.#openFile(file);
  }

  #openFile(run: RunFile): void {
    this.runsFiles = true;
    const scripts = this.#scripts;
    if (scripts === undefined) return;
    for (const { path, file } of scripts.open(run, this.#inFiles.at(-1)?.path)) {
      const key = `${path}\n${run.part ?? ''}`;
      if (this.#openedFiles.has(key)) continue;
      this.#openedFiles.add(key);
      if (scripts.isFull) return this.#doubt('the scripts that it runs are too many or too long', true);
      if (new Set([...this.#inFiles.map((one) => one.path), path]).size > DEEPEST_SCRIPT)
        return this.#doubt(`scripts that run each other more than ${DEEPEST_SCRIPT} deep: ${path}`, true);
      if (file.kind === 'text') this.#readFile(path, file.text, run);
      else if (file.kind === 'unreadable') this.#doubtFile(path, file.why);
      else if (run.isStarted !== true) this.#doubtFile(path, 'it is not a text');
    }
  }

  #readFile(path: string, text: string, run: RunFile): void {
    // Messages must not quote a file of secrets.
    const isSecret = /(?:^|[\\/])\.env(?:\.\w+)*$/.test(path);
    const isGuess = isSecret || run.isGuess === true || (run.isStarted === true && isForeignScript(text));
    this.scripts.set(path, text);
    const isScript = run.part === undefined;
    this.#inFiles.push({ path, text, isGuess, isScript });
    for (const part of isGuess ? codeParts(text) : [text]) this.#open(run.read(part), 1);
    this.#inFiles.pop();
  }

  #doubtFile(path: string, why: string): void {
    if (!isInstalled(path)) this.#doubt(`${path} cannot be judged: ${why}`, true);
  }

  #placeOf(text: string): ScriptPlace {
    const { path, text: whole, isGuess } = this.#inFiles.at(-1)!; // called inside a file only
    const line = lineIn(whole, text);
    return { file: path, ...(line !== undefined && { line }), ...(isGuess && { isGuess }) };
  }

  #countWords(count: number): void {
    if (this.#inFiles.length > 0) this.#wordsInFiles += count;
    else this.#words += count;
  }

  #hasRoomFor(words: number): boolean {
    const [used, most] =
      this.#inFiles.length > 0 ? [this.#wordsInFiles, MOST_SCRIPT_WORDS] : [this.#words, MOST_WORDS];
    if (used + words > most) this.#giveUp('the commands inside are too many');
    return used + words <= most;
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
    this.#doubt(reason, true);
  }

  /**
   * Of a file, as of any program, only run time knows some parts. They count only if they are `hidden`: nothing of them can be
   * read, or a shell runs what another program makes.
   */
  #doubt(reason: string, isHidden = false): void {
    const inFile = this.#inFiles.at(-1);
    if (this.unjudgeable.length >= MOST_REASONS) return;
    if (inFile !== undefined && (inFile.isGuess || !isHidden)) return;
    this.unjudgeable.push(inFile === undefined ? reason : `${inFile.path}: ${reason}`);
  }
}

/** Code that deletes a path that it computes, such as one beside itself, is everyday code. */
const isComputed = ({ fixed, value }: ShellWord): boolean => !fixed || value.startsWith('..');

/** One reason is enough to decide; a few more help a reader. */
const MOST_REASONS = 100;

/** Text that every shell reads alike: words, quotes, `&&`, `||`, `|`, `;`, `>`, plain variables and stars. */
const SAME_IN_EVERY_SHELL = /^(?:[\w\s./,:@%+'"&|;>-]|\*(?!\()|\$\{?\w+\}?|(?<=\S)=)*$/;
