/** One bash text, parsed for real: its simple commands wherever they stand, and what nobody can judge before it runs. */
import { createRequire } from 'node:module';
import type * as Unbash from 'unbash';
import type { Assignment, Command, ParsedScript, Redirection, SyntaxNode } from 'unbash';
import { thrownText } from '../thrown.ts';
import { hiddenCode, type Quoting } from './hidden-code.ts';
import { MOST_COMMANDS, tooBig } from './limits.ts';
import { clip, readWord, type ShellWord } from './word.ts';

/** Loaded with the first text: most fires look at none. */
let loaded: typeof Unbash | undefined;
const unbash = () => (loaded ??= createRequire(import.meta.url)('unbash') as typeof Unbash);

export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  /** As written, with its assignments and redirections. */
  readonly text: string;
}

/** `NAME=value`, before a command or alone. */
export interface Setting {
  readonly name: string;
  readonly value: ShellWord;
}

export interface ScriptReading {
  readonly commands: SimpleCommand[];
  readonly settings: Setting[];
  /** Files that redirections write. */
  readonly writes: ShellWord[];
  readonly unjudgeable: string[];
}

export function readScript(text: string): ScriptReading {
  const reading: ScriptReading = { commands: [], settings: [], writes: [], unjudgeable: [] };
  const big = tooBig(text);
  if (big !== undefined) reading.unjudgeable.push(big);
  else if (text.includes('\0')) reading.unjudgeable.push('it holds a NUL character');
  else {
    try {
      walk(unbash().parse(text), text, reading);
    } catch (error) {
      // The parser throws for node types it does not know and may run out of stack.
      reading.unjudgeable.push(`it cannot be parsed: ${thrownText(error)}`);
    }
  }
  return reading;
}

interface Place {
  readonly node: SyntaxNode;
  readonly source: string;
  readonly quoting: Quoting;
}

function walk(script: ParsedScript, text: string, reading: ScriptReading): void {
  const open: Place[] = [{ node: script, source: text, quoting: 'plain' }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node } = place;
    const source = node.type === 'Script' ? (node.source ?? place.source) : place.source;
    const { quoting, why } = hiddenCode(node, place.quoting, source);
    if (why !== undefined) reading.unjudgeable.push(why);
    if (node.type === 'Command') readCommand(node, source, reading);
    else if (node.type === 'Assignment') readSetting(node, reading);
    else readWrite(node, reading);
    if (reading.commands.length > MOST_COMMANDS) {
      reading.unjudgeable.push(`more than ${MOST_COMMANDS} commands`);
      return;
    }
    const children: Place[] = [];
    unbash().forEachChild(node, (child) => children.push({ node: child, source, quoting }));
    for (let child = children.pop(); child !== undefined; child = children.pop()) open.push(child);
  }
}

function readCommand(node: Command, source: string, reading: ScriptReading): void {
  if (node.name === undefined) return;
  const name = readWord(node.name);
  const text = source.slice(node.pos, node.end);
  if (!isKnownName(name)) {
    reading.unjudgeable.push(`the command's name is known only at run time: ${clip(text)}`);
    return;
  }
  reading.commands.push({ words: [name, ...node.args.map(readWord)], text });
}

/** `~` alone is a folder, `~name` somebody's home; zsh reads `=name` as a path. */
export const isKnownName = (name: ShellWord): boolean =>
  name.fixed && !/^~[^/]*$/.test(name.text) && !name.text.startsWith('=');

function readSetting(node: Assignment, reading: ScriptReading): void {
  const value =
    node.value.type === 'Word' && node.index === undefined ? readWord(node.value) : readWord(node);
  reading.settings.push({ name: node.name, value });
}

function readWrite(node: SyntaxNode, reading: ScriptReading): void {
  if (!isRedirection(node) || node.type !== 'Redirect' || node.target === undefined || node.operator === '<')
    return;
  const target = readWord(node.target);
  const isDescriptor = (node.operator === '>&' || node.operator === '<&') && /^(\d+-?|-)$/.test(target.value);
  if (!(isDescriptor && target.fixed)) reading.writes.push(target);
}

const isRedirection = (node: SyntaxNode): node is Redirection =>
  node.type === 'Redirect' || node.type === 'HereString' || node.type === 'HereDoc';
