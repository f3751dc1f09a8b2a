/** What is known at one point of a shell text: the working folder, the variables, and the values of words. */

import {
  type Command,
  type ParsedScript,
  type ParameterExpansionPart,
  type PipelineNode,
  type Statement,
  type Word,
  type WordPart,
  forEachChild,
  type SyntaxNode,
} from 'unbash';
import type { ReadLanguage } from '../references/language.ts';
import type { CommandRoles } from './word-role.ts';

/** A text that is known before it runs. `self`: built from the script's own path, and so it moves with a copy of the script. */
export interface Value {
  readonly text: string;
  readonly self: boolean;
}

/** What is known at one point of a shell text. */
export interface ShellScope {
  /** The working folder; undefined if only run time knows it. */
  here: Value | undefined;
  readonly vars: Map<string, Value>;
  /** `$0`, and the file that contains the text; absent on a command line. */
  readonly zero?: string;
  readonly file?: string;
  /** The output of `git rev-parse --show-toplevel`. */
  readonly top?: string;
}

export const fixed = (text: string): Value => ({ text, self: false });

/** The word after quote removal and expansion; undefined if an expansion is known only at run time. */
export function wordValue(word: Word, scope: ShellScope): Value | undefined {
  const home = scope.vars.get('HOME');
  if (word.parts === undefined) {
    if (!word.text.startsWith('~')) return fixed(word.value);
    return home !== undefined && /^~(\/|$)/.test(word.text)
      ? fixed(home.text + word.value.slice(1))
      : undefined;
  }
  const [first] = word.parts;
  const isTilde = first?.type === 'Literal' && first.text.startsWith('~');
  const rest = joinParts(word.parts, scope, 'bare');
  if (!isTilde || rest === undefined) return rest;
  return home !== undefined && /^~(\/|$)/.test(rest.text)
    ? { ...rest, text: home.text + rest.text.slice(1) }
    : undefined;
}

function joinParts(
  parts: readonly WordPart[],
  scope: ShellScope,
  quoting: 'bare' | 'quoted',
): Value | undefined {
  let text = '';
  let self = false;
  for (const part of parts) {
    const value = partValue(part, scope, quoting);
    if (value === undefined) return undefined;
    text += value.text;
    self ||= value.self;
  }
  return { text, self };
}

function partValue(part: WordPart, scope: ShellScope, quoting: 'bare' | 'quoted'): Value | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return fixed(part.value);
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinParts(part.parts, scope, 'quoted');
    case 'SimpleExpansion':
      return unsplit(variable(part.text.slice(1), scope), quoting);
    case 'ParameterExpansion':
      return unsplit(parameter(part, scope), quoting);
    case 'CommandExpansion':
      return unsplit(part.script === undefined ? undefined : printed(part.script, scope), quoting);
    default:
      return undefined;
  }
}

/** Outside quotes, a value with blanks or wildcards becomes several words or other names. */
const unsplit = (value: Value | undefined, quoting: 'bare' | 'quoted'): Value | undefined =>
  value !== undefined && quoting === 'bare' && /[\s*?[]/.test(value.text) ? undefined : value;

function variable(name: string, scope: ShellScope): Value | undefined {
  if (name === '0' && scope.zero !== undefined) return { text: scope.zero, self: true };
  if (name === 'BASH_SOURCE' && scope.file !== undefined) return { text: scope.file, self: true };
  if (name === 'PWD') return scope.here;
  return scope.vars.get(name);
}

function parameter(part: ParameterExpansionPart, scope: ShellScope): Value | undefined {
  if (part.prefix !== undefined) return undefined;
  if (part.index !== undefined && !(part.parameter === 'BASH_SOURCE' && part.index.text === '0'))
    return undefined;
  const base = variable(part.parameter, scope);
  const { operation } = part;
  if (operation === undefined || base === undefined) return base;
  if (operation.type === 'Default')
    return /^:?[-=?]$/.test(operation.operator) && base.text !== '' ? base : undefined;
  if (operation.type !== 'Remove') return undefined;
  const cut = `${operation.operator}${operation.operand.text}`;
  if (cut === '%/*') return { ...base, text: base.text.replace(/\/[^/]*$/, '') };
  if (cut === '##*/') return { ...base, text: base.text.replace(/^.*\//s, '') };
  return undefined;
}

/** The output of a substitution, for the few commands by which scripts find their own folder. */
function printed(script: ParsedScript, outer: ShellScope): Value | undefined {
  const scope: ShellScope = { ...outer, vars: new Map(outer.vars) };
  let out: Value | undefined;
  for (const command of simpleCommands(script.commands)) {
    if (command === undefined) return undefined;
    const words = [command.name, ...command.args].map((w) =>
      w?.type === 'Word' ? wordValue(w, scope) : undefined,
    );
    const [name, ...all] = words;
    const args = all.filter((a) => !(a !== undefined && /^-([fPLe]|-)?$/.test(a.text)));
    const [first] = args;
    if (name?.text === 'cd' && first !== undefined) scope.here = under(scope.here, first);
    else if (name?.text === 'pwd') out = scope.here;
    else if (name?.text === 'dirname' && first !== undefined) out = { ...first, text: parentOf(first.text) };
    else if (name?.text === 'basename' && args.length === 1 && first)
      out = { ...first, text: first.text.replace(/^.*\//s, '') };
    else if ((name?.text === 'realpath' || name?.text === 'readlink') && first)
      out = under(scope.here, first);
    else if (name?.text === 'echo' && args.length === 1 && first) out = first;
    else if (words.map((w) => w?.text).join(' ') === 'git rev-parse --show-toplevel') {
      out = scope.top === undefined ? undefined : fixed(scope.top);
    } else return undefined;
  }
  return out;
}

function* simpleCommands(statements: readonly Statement[]): Generator<Command | undefined> {
  for (const { command } of statements) {
    const list: readonly PipelineNode[] = command.type === 'AndOr' ? command.commands : [command];
    if (command.type === 'AndOr' && command.operators.includes('||')) yield undefined;
    for (const node of list) yield node.type === 'Command' ? node : undefined;
  }
}

export function under(here: Value | undefined, path: Value): Value | undefined {
  if (path.text.startsWith('/')) return path;
  return here === undefined ? undefined : { text: `${here.text}/${path.text}`, self: here.self || path.self };
}

const parentOf = (path: string): string => {
  const trimmed = path.replace(/\/+$/, '');
  const at = trimmed.lastIndexOf('/');
  return at < 0 ? '.' : at === 0 ? '/' : trimmed.slice(0, at);
};

export const apart = (scope: ShellScope): ShellScope => ({ ...scope, vars: new Map(scope.vars) });

/** The scope for the rest of `env -C folder command`. */
export function movedTo(
  scope: ShellScope,
  values: readonly (Value | undefined)[],
  { moved }: CommandRoles,
): ShellScope {
  if (moved === undefined) return scope;
  const word = values[moved.word];
  const to = word === undefined ? undefined : { ...word, text: word.text.slice(moved.skip) };
  return { ...scope, here: to === undefined ? undefined : under(scope.here, to) };
}

export function moveTo(scope: ShellScope, values: readonly (Value | undefined)[]): void {
  const [target, more] = values.slice(1).filter((v) => v === undefined || !/^-[LPe-]$/.test(v.text));
  const home = scope.vars.get('HOME');
  const to = values.length === 1 ? home : target?.text === '-' ? undefined : target;
  scope.here = to === undefined || more !== undefined ? undefined : under(scope.here, to);
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}

export interface Pipe {
  /** Its input is the output of the command before it. */
  readonly isFed?: boolean;
  /** Its output is run, as code in this language. */
  readonly feeds?: ReadLanguage;
}

/** What the walk needs to know about the whole text in advance. */
export interface ShellSurvey {
  /** How often each variable is assigned. The value of a variable with two assignments is unknown everywhere. */
  readonly assigned: ReadonlyMap<string, number>;
  /** The text defines functions or aliases, so a name such as `tee` may mean something else. */
  readonly isRenamed: boolean;
  readonly functions: ReadonlySet<string>;
  /** The first syntax error in the text, or in a text inside it. */
  readonly error: string | undefined;
}

const SETTERS = new Set(['read', 'mapfile', 'readarray', 'printf', 'getopts', 'unset']);

export function surveyOf(script: ParsedScript): ShellSurvey {
  const assigned = new Map<string, number>();
  const bump = (name: string, by: number) => assigned.set(name, (assigned.get(name) ?? 0) + by);
  let isRenamed = false;
  const functions = new Set<string>();
  let error: string | undefined;
  const look = (node: SyntaxNode): void => {
    if (node.type === 'Assignment') bump(node.name, 1);
    else if (node.type === 'For' || node.type === 'Select') bump(node.name.text, 2);
    else if (node.type === 'Function') {
      isRenamed = true;
      functions.add(node.name.value);
    } else if (node.type === 'Command') {
      const name = node.name?.value ?? '';
      if (name === 'alias') isRenamed = true;
      // In a loop, its value changes each time.
      if (SETTERS.has(name)) for (const arg of node.args) if (arg.type === 'Word') bump(arg.value, 2);
    } else if (node.type === 'Script') error ??= (node as ParsedScript).errors?.[0]?.message;
    forEachChild(node, look);
  };
  look(script);
  return { assigned, isRenamed, functions, error };
}
