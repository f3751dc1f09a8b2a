/**
 * `match`: nothing or `*` is any; words split by `|` or `,` are exact; `*` inside a word is a wildcard; `/…/` is a
 * regular expression; `tool(glob)` also looks at what the tool is asked to do.
 */
import type { Event } from '../../../events/event.ts';
import { type EventName, rowOf } from '../../../events/events.ts';
import type { DangerName } from '../../../shell/danger/index.ts';
import type { Fit, Hook, Match } from '../../../events/hook.ts';
import { compilePattern } from '../../../events/pattern.ts';
import { type ProblemCode, sentence } from '../../../events/problems.ts';
import { TOOLS } from '../../../events/tools.ts';
import { unseenLetter } from '../../../events/unseen.ts';
import { pathGlob, textGlob } from './glob.ts';
import { argumentTest } from './match-argument.ts';
import { DANGER_TOOLS, dangerFit, dangerIn, isDangerWord } from './match-danger.ts';
import { splitAlternatives } from './split-alternatives.ts';

export type OwnMatcher = Pick<Hook, 'match' | 'when'> & {
  /** All that it matches is of these: it can be refused without asking a hook. */
  readonly dangers?: readonly DangerName[];
};
export interface MatcherFault {
  readonly code: ProblemCode;
  readonly message: string;
  readonly remedy: string;
  readonly severity: 'error' | 'warning';
}
export interface OwnMatcherRead {
  /** Undefined when the matcher makes no sense. */
  readonly matcher?: OwnMatcher;
  readonly fault?: MatcherFault;
}

export const OWN_MATCH_ANY: OwnMatcher = { match: { kind: 'any' } };

export function readMatcher(source: string, event: EventName): OwnMatcherRead {
  const wanted = source.trim();
  const { subject } = rowOf(event);
  if (wanted === '*') return { matcher: OWN_MATCH_ANY };
  if (wanted === '') return bad('is empty', 'Leave "match" out, or write "*", for any.');
  if (subject === null)
    return bad(`${event} has nothing a matcher could read`, 'Leave "match" out.', 'matcher-unused');
  const unseen = unseenLetter(source);
  if (unseen !== undefined)
    return bad(`holds ${unseen}, which nobody sees and nothing fits`, 'Type it anew.');
  try {
    const regular = /^\/(.+)\/([a-z]*)$/s.exec(wanted);
    if (regular !== null) return readRegular(regular[1]!, regular[2]!);
    const words = splitAlternatives(wanted);
    if (subject === 'tool') return { matcher: toolMatcher(words) };
    return { matcher: subject === 'file' ? fileMatcher(words) : wordMatcher(words) };
  } catch (error) {
    if (error instanceof SyntaxError) return bad(error.message, 'See the page on match.');
    throw error;
  }
}

const bad = (message: string, remedy: string, code: ProblemCode = 'bad-matcher'): OwnMatcherRead => ({
  fault: { code, message: sentence(message), remedy, severity: 'error' },
});

function readRegular(source: string, flags: string): OwnMatcherRead {
  if (flags !== '') return bad(`the flags "${flags}" are not taken`, 'Write /…/ without letters behind it.');
  const pattern = compilePattern(source);
  const matcher = { match: { kind: 'pattern' as const, source: pattern.source, test: pattern.test } };
  if (pattern.engine !== 'limited') return { matcher };
  const message =
    'this pattern has no linear form and is cut off after 50 ms; cut off, it counts as a match.';
  const remedy = 'Write it without look-around and back-references.';
  return { matcher, fault: { code: 'bad-matcher', message, remedy, severity: 'warning' } };
}

interface Alternative {
  readonly head: string;
  readonly argument?: (event: Event) => Fit;
}
function toolMatcher(words: readonly string[]): OwnMatcher {
  const dangers = words.filter(isDangerWord).map(dangerIn);
  if (dangers.length === words.length)
    return {
      match: { kind: 'names', names: DANGER_TOOLS },
      when: (event) => someFit(dangers, (name) => dangerFit(name, event)),
      dangers,
    };
  if (dangers.length > 0) throw new SyntaxError('"danger:" cannot stand beside tools; write two hooks');
  const alternatives = words.map(readAlternative);
  const match = headMatch(alternatives.map(({ head }) => head));
  if (alternatives.every(({ argument }) => argument === undefined)) return { match };
  const alone = alternatives.length === 1;
  return {
    match,
    when: (event) =>
      someFit(alternatives, ({ head, argument }) =>
        alone || mayMean(head, event) ? (argument?.(event) ?? true) : false,
      ),
  };
}

/** One that fits is enough; one that cannot tell counts when none fits. */
function someFit<T>(list: readonly T[], test: (one: T) => Fit): Fit {
  let found: Fit = false;
  for (const one of list) {
    const fit = test(one);
    if (fit === true) return true;
    if (fit !== false) found = fit;
  }
  return found;
}

function readAlternative(word: string): Alternative {
  const [, head, glob] = /^([^()]+)\((.*)\)$/s.exec(word) ?? [];
  if (head !== undefined && glob !== undefined) {
    if (glob.trim() === '') throw new SyntaxError(`nothing stands in the parentheses of "${word}"`);
    return { head: toolName(head.trim()), argument: argumentTest(glob) };
  }
  return { head: toolName(word) };
}

/** A regular expression without its slashes would match no tool at all, and its guard nothing. */
function toolName(word: string): string {
  if (/\.\*|[\^$\\+?[\]{}()]/.test(word))
    throw new SyntaxError(`"${word}" looks like a regular expression; write it between slashes`);
  if (/\s/.test(word)) throw new SyntaxError(`"${word}" is no tool's name: it holds a space`);
  return word;
}

function headMatch(heads: readonly string[]): Match {
  if (!heads.some((head) => head.includes('*'))) return { kind: 'names', names: heads };
  // Only exact words are compared with every agent's spelling; beside a wildcard a foreign one would never match.
  const foreign = heads.find((head) => !head.includes('*') && !isOurs(head) && !head.startsWith('mcp__'));
  if (foreign !== undefined)
    throw new SyntaxError(`"${foreign}" cannot stand beside a wildcard; write two hooks, or our name for it`);
  const tests = heads.map(textGlob);
  return { kind: 'pattern', source: heads.join('|'), test: (subject) => tests.some((test) => test(subject)) };
}

const isOurs = (name: string): boolean => Object.hasOwn(TOOLS, name);

/** Is this alternative about the tool at hand? A word that is not ours may be another agent's word for it. */
function mayMean(head: string, { payload, native }: Event): boolean {
  const { tool } = payload as { tool: string };
  if (head === tool || head === native?.tool || textGlob(head)(tool)) return true;
  return isOurs(tool) && !isOurs(head) && !head.includes('*');
}

/** On paths a word is always a glob, and needs to know the working folder. */
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
