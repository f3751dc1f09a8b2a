/**
 * Reads `match`: missing or `*` matches everything; names separated by `|` or `,` match exactly; `*` inside a name is a
 * wildcard; `/…/` is a regular expression; `tool(glob)` also checks the main argument of the tool.
 */

import { basename, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { type EventName, rowOf } from '../../../events/events.ts';
import type { Fit, Hook, Match } from '../../../events/hook.ts';
import { compilePattern, type Pattern } from '../../../events/pattern.ts';
import { type ProblemCode, sentence } from '../../../events/problems.ts';
import type { ScriptFiles } from '../../../events/script-files.ts';
import { TOOLS } from '../../../events/tools.ts';
import { unseenLetter } from '../../../events/unseen.ts';
import type { DangerName } from '../../../shell/danger/index.ts';
import { matchShell } from '../../../shell/matches-shell.ts';
import { foundText, type ScriptScene } from '../../../shell/script-file.ts';
import { DANGER_TOOLS, dangerFit, dangerIn, dangerReason, isDangerWord } from './match-danger.ts';

/** Tests globs on paths and plain text in linear time. */
type GlobTest = (path: string, cwd: string) => boolean;

/**
 * A glob without a slash is tested on the base name, with a slash on the path below the working folder, and with a
 * leading slash or `**` on the whole path. `..` and `.` in the path are resolved first. Throws a SyntaxError for globs
 * that are too long.
 */
function pathGlob(glob: string): GlobTest {
  const source = sourceOf(glob.replace(/^\.\//, ''));
  let pattern: Pattern | undefined;
  return (path, cwd) => {
    pattern ??= compilePattern(source); // loads the pattern engine, so only if there is a path to test
    const full = resolve(cwd, path);
    if (!glob.includes('/')) return pattern.test(basename(full));
    const whole = glob.startsWith('/') || glob.startsWith('**');
    return pattern.test((whole ? full : relative(cwd, full)).replaceAll(sep, '/'));
  };
}

const LONGEST = 512;
/** The lookaheads with which picomatch keeps `*` from matching `.` and `..`. A resolved path contains neither. */
const LOOKS_AHEAD = /\(\?!(?:\(\?:\^\|\\\/\))?\\\.\{1,2\}\(\?:\\\/\|\$\)\)|\(\?=\.\)/g;

/**
 * Converts a glob to a regular expression without lookaround, so that it can run in linear time. `**` also crosses line
 * breaks.
 */
function sourceOf(glob: string): string {
  const { source } = picomatch.makeRe(glob, { dot: true, noextglob: true, nonegate: true });
  const plain = source.replaceAll(LOOKS_AHEAD, '').replaceAll('(?:.)*?', '[\\s\\S]*?');
  if (plain.length > LONGEST) throw new SyntaxError(`the glob is too long: ${glob.length} characters`);
  return plain;
}

/** `*` matches any characters and all others are literal. The glob must match the whole text. */
function textGlob(glob: string): (text: string) => boolean {
  const [first = '', ...rest] = glob.split('*');
  const last = rest.pop();
  return (text) => {
    if (last === undefined) return text === first;
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

type EventTest = NonNullable<Hook['when']>;

/** Throws a SyntaxError for an invalid glob. */
function argumentTest(glob: string): EventTest {
  const [path, text] = [pathGlob(glob), textGlob(glob)];
  return ({ payload, scene }, files) => {
    const { tool, input } = payload as { tool?: unknown; input?: Fields };
    if (typeof input !== 'object' || input === null) return true;
    if (tool === 'shell')
      return typeof input['command'] === 'string'
        ? shellFit(glob, input['command'], files && { files, cwd: scene.cwd })
        : true;
    if (isFileTool(tool)) return typeof input['path'] === 'string' ? path(input['path'], scene.cwd) : true;
    return someText(input, text, DEEPEST);
  };
}

function shellFit(glob: string, command: string, scene: ScriptScene | undefined): Fit {
  const match = matchShell(glob, command, scene);
  if (match.kind === 'opaque') return { opaque: match.why };
  if (match.kind === 'clear') return false;
  return match.from === undefined
    ? true
    : { matched: foundText(match.command, match.from, scene?.cwd ?? '') };
}

const DEEPEST = 8;
/** Whether any string in the arguments matches, including nested lists and objects. */
function someText(value: unknown, test: (text: string) => boolean, depth: number): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true; // too deep to decide
  return Object.values(value).some((part) => someText(part, test, depth - 1));
}

/** Tools whose first argument is the path of a file. */
const FILE_TOOLS: ReadonlySet<unknown> = new Set(
  Object.entries(TOOLS).flatMap(([name, { args }]) => (args[0] === 'path' ? [name] : [])),
);
const isFileTool = (tool: unknown): boolean => FILE_TOOLS.has(tool);

const OPENERS = '({[';
const CLOSERS = ')}]';

/** Splits `a|b(c|d),e{f,g}` into `a`, `b(c|d)`, `e{f,g}`. Throws a SyntaxError for unbalanced brackets. */
function splitAlternatives(source: string): readonly string[] {
  if (/^[\w-]+$/.test(source)) return [source]; // usually a single name
  const words: string[] = [];
  const open: string[] = [];
  let word = '';
  for (const character of source) {
    // Parentheses contain a glob, in which only parentheses need to be balanced.
    const [openers, closers] = open[0] === ')' ? ['(', ')'] : [OPENERS, CLOSERS];
    if (openers.includes(character)) open.push(CLOSERS[OPENERS.indexOf(character)]!);
    else if (closers.includes(character) && open.pop() !== character)
      throw new SyntaxError(`"${character}" is unmatched in "${source}"`);
    if (open.length === 0 && (character === '|' || character === ',')) {
      words.push(word.trim());
      word = '';
    } else word += character;
  }
  words.push(word.trim());
  if (open.length > 0) throw new SyntaxError(`"${open.at(-1)}" is missing in "${source}"`);
  if (words.includes('')) throw new SyntaxError(`a word is missing in "${source}"`);
  return words;
}

export type OwnMatcher = Pick<Hook, 'match' | 'when'> & {
  /** Set if the matcher consists only of these: matching calls can be refused without running a hook. */
  readonly dangers?: readonly DangerName[];
  /** The refusal of these, for the model. */
  readonly reason?: (event: Event) => string;
};
export interface MatcherFault {
  readonly code: ProblemCode;
  readonly message: string;
  readonly remedy: string;
  readonly severity: 'error' | 'warning';
}
export interface OwnMatcherRead {
  /** Undefined if the matcher is invalid. */
  readonly matcher?: OwnMatcher;
  readonly fault?: MatcherFault;
}

export const OWN_MATCH_ANY: OwnMatcher = { match: { kind: 'any' } };

export function readMatcher(source: string, event: EventName): OwnMatcherRead {
  const wanted = source.trim();
  const { subject } = rowOf(event);
  if (wanted === '*') return { matcher: OWN_MATCH_ANY };
  if (wanted === '') return bad('is empty', 'Leave "match" out, or write "*", for any.');
  if (subject === null) return bad(`${event} has nothing to match`, 'Leave "match" out.', 'matcher-unused');
  const unseen = unseenLetter(source);
  if (unseen !== undefined)
    return bad(`holds ${unseen}, an invisible character that matches nothing`, 'Type it again.');
  try {
    const regular = /^\/(.+)\/([a-z]*)$/s.exec(wanted);
    if (regular !== null) return readRegular(regular[1]!, regular[2]!);
    const words = splitAlternatives(wanted);
    if (subject === 'tool') return { matcher: toolMatcher(words) };
    return { matcher: subject === 'file' ? fileMatcher(words) : wordMatcher(words) };
  } catch (error) {
    if (error instanceof SyntaxError) return bad(error.message, 'See the matcher reference.');
    throw error;
  }
}

const bad = (message: string, remedy: string, code: ProblemCode = 'bad-matcher'): OwnMatcherRead => ({
  fault: { code, message: sentence(message), remedy, severity: 'error' },
});

function readRegular(source: string, flags: string): OwnMatcherRead {
  if (flags !== '') return bad(`the flags "${flags}" are not taken`, 'Write /…/ without flags.');
  const pattern = compilePattern(source);
  const matcher = { match: { kind: 'pattern' as const, source: pattern.source, test: pattern.test } };
  if (pattern.engine !== 'limited') return { matcher };
  const message =
    'this pattern cannot run in linear time. It is stopped after 50 ms and then counts as a match.';
  const remedy = 'Write it without lookaround and backreferences.';
  return { matcher, fault: { code: 'bad-matcher', message, remedy, severity: 'warning' } };
}

interface Alternative {
  readonly head: string;
  readonly argument?: EventTest;
}
function toolMatcher(words: readonly string[]): OwnMatcher {
  const dangers = words.filter(isDangerWord).map(dangerIn);
  if (dangers.length === words.length) return dangerMatcher(dangers);
  if (dangers.length > 0) throw new SyntaxError('"danger:" cannot be combined with tools; write two hooks');
  const alternatives = words.map(readAlternative);
  const match = headMatch(alternatives.map(({ head }) => head));
  if (alternatives.every(({ argument }) => argument === undefined)) return { match };
  const alone = alternatives.length === 1;
  return {
    match,
    when: (event, files) =>
      someFit(alternatives, ({ head, argument }) =>
        alone || mayMean(head, event) ? (argument?.(event, files) ?? true) : false,
      ),
  };
}

function dangerMatcher(dangers: readonly DangerName[]): OwnMatcher {
  let scripts: ScriptFiles | undefined; // The refusal names what the test found, so it looks at the same files.
  return {
    match: { kind: 'names', names: DANGER_TOOLS },
    when(event, files) {
      scripts = files;
      return someFit(dangers, (name) => dangerFit(name, event, files));
    },
    dangers,
    reason: (event) => dangerReason(dangers, event, scripts),
  };
}

/** One match is enough. An undecidable test counts only if none matches. */
function someFit<T>(list: readonly T[], test: (one: T) => Fit): Fit {
  let found: Fit = false;
  for (const one of list) {
    const fit = test(one);
    if (fit === true || (typeof fit === 'object' && 'matched' in fit)) return fit;
    if (fit !== false) found = fit;
  }
  return found;
}

function readAlternative(word: string): Alternative {
  const [, head, glob] = /^([^()]+)\((.*)\)$/s.exec(word) ?? [];
  if (head !== undefined && glob !== undefined) {
    if (glob.trim() === '') throw new SyntaxError(`the parentheses are empty in "${word}"`);
    return { head: toolName(head.trim()), argument: argumentTest(glob) };
  }
  return { head: toolName(word) };
}

/** A regular expression without slashes would match no tool, so its guard would never run. */
function toolName(word: string): string {
  if (/\.\*|[\^$\\+?[\]{}()]/.test(word))
    throw new SyntaxError(`"${word}" looks like a regular expression; write it between slashes`);
  if (/\s/.test(word)) throw new SyntaxError(`"${word}" is not a tool name: it contains a space`);
  return word;
}

function headMatch(heads: readonly string[]): Match {
  if (!heads.some((head) => head.includes('*'))) return { kind: 'names', names: heads };
  // Only exact names are compared with each agent's spelling. Next to a wildcard a native name would never match.
  const foreign = heads.find((head) => !head.includes('*') && !isOurs(head) && !head.startsWith('mcp__'));
  if (foreign !== undefined)
    throw new SyntaxError(
      `"${foreign}" cannot be combined with a wildcard; write two hooks, or use the common tool name`,
    );
  const tests = heads.map(textGlob);
  return { kind: 'pattern', source: heads.join('|'), test: (subject) => tests.some((test) => test(subject)) };
}

const isOurs = (name: string): boolean => Object.hasOwn(TOOLS, name);

/** Whether this alternative may match the tool. A name that is not ours may be another agent's name for it. */
function mayMean(head: string, { payload, native }: Event): boolean {
  const { tool } = payload as { tool: string };
  if (head === tool || head === native?.tool || textGlob(head)(tool)) return true;
  return isOurs(tool) && !isOurs(head) && !head.includes('*');
}

/** For paths every word is a glob, and the working folder is needed. */
function fileMatcher(words: readonly string[]): OwnMatcher {
  const tests = words.map(pathGlob);
  return {
    match: { kind: 'any' },
    when: ({ payload, scene }) => {
      const { file } = payload as { file?: unknown };
      return typeof file === 'string' ? tests.some((test) => test(file, scene.cwd)) : true;
    },
  };
}

function wordMatcher(words: readonly string[]): OwnMatcher {
  if (!words.some((word) => word.includes('*'))) return { match: { kind: 'names', names: words } };
  const tests = words.map(textGlob);
  return {
    match: {
      kind: 'pattern',
      source: words.join('|'),
      test: (subject) => tests.some((test) => test(subject)),
    },
  };
}
