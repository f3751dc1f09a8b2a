/** Finds hooks that listen but never do anything. Without a report, users notice only when they miss them. */

import { eventHeardBy } from '../dialects.ts';
import { rowOf } from '../events/events.ts';
import { type Hook, isBlankScript } from '../events/hook.ts';
import { compilePattern } from '../events/pattern.ts';
import { nearest } from '../events/problems.ts';
import { unseenLetter } from '../events/unseen.ts';
import type { KnownTools } from './tool-names.ts';

export interface MatcherDoubt {
  readonly said: {
    readonly code: 'dead-matcher' | 'wrong-case' | 'unseen-letters';
    readonly severity: 'error' | 'warning';
    readonly what: string;
    readonly why?: string;
    readonly remedy: string;
  };
  /** No known tool matches the name as written. Dialects with open tool lists may have a tool that we do not know. */
  readonly isTypo: boolean;
}

export const isBlank = ({ run }: Pick<Hook, 'run'>): boolean =>
  run.kind === 'command' && 'line' in run.run && isBlankScript(run.run.line);

/** Reports a hook that its matcher keeps from being called, or from most of its calls. */
export function matcherDoubts(hook: Hook, tools: KnownTools): readonly MatcherDoubt[] {
  if (hook.match.kind === 'any' && hook.when === undefined) return [];
  const unseen = unseenLetter(hook.matcher ?? '');
  if (unseen !== undefined) return [aboutUnseen(unseen)];
  if (!isAboutTools(hook)) return [];
  const { match, dialect } = hook;
  if (match.kind === 'names') return match.names.flatMap((name) => aboutName(name, dialect, tools));
  return match.kind === 'pattern' && isPattern(hook) ? aboutPattern(hook, match, tools.all) : [];
}

export const isAboutTools = (hook: Hook): boolean => {
  const name = eventHeardBy(hook);
  return name !== undefined && rowOf(name).subject === 'tool';
};

/** In our own files `Edit*` is a wildcard. Only text between slashes is a pattern. */
export const isPattern = ({ dialect, matcher = '' }: Hook): boolean =>
  dialect !== 'anyhook' || matcher.startsWith('/');

const aboutUnseen = (letter: string): MatcherDoubt => ({
  isTypo: true,
  said: {
    code: 'unseen-letters',
    severity: 'error',
    what: `The matcher contains ${letter}, which is invisible.`,
    why: 'Names are compared exactly, so it does not match the name that it resembles.',
    remedy: 'Type the matcher again.',
  },
});

function aboutName(name: string, dialect: string, tools: KnownTools): MatcherDoubt[] {
  const { all } = tools;
  const own = tools.of(dialect);
  if (own.has(name) || name.includes('__')) return []; // tools of servers can have any name
  const inOther = inAnyCase(name, own);
  if (inOther !== undefined)
    return [
      {
        isTypo: !all.has(name),
        said: {
          code: 'wrong-case',
          severity: 'error',
          what: `${JSON.stringify(name)} is spelled ${JSON.stringify(inOther)} in ${dialect === 'anyhook' ? 'every agent that has it' : dialect}.`,
          why: 'Names are case-sensitive, so the hook never runs there.',
          remedy: `Write ${JSON.stringify(inOther)}.`,
        },
      },
    ];
  if (all.has(name)) return [];
  return [
    {
      isTypo: name.length >= SHORTEST && nearest(name, byLowercaseName(all).keys(), 1) !== undefined,
      /** Computed on demand: callers with ten thousand hooks only count the typos. */
      get said() {
        const near = inAnyCase(name, all) ?? nearest(name, all);
        return {
          code: 'dead-matcher' as const,
          severity: 'warning' as const,
          what: `No known agent has a tool called ${JSON.stringify(name)}.`,
          why: 'The hook runs only if such a tool exists.',
          remedy: near === undefined ? 'Check the name.' : `Did you mean ${JSON.stringify(near)}?`,
        };
      },
    },
  ];
}
/** Shorter names have too many neighbours at one letter's distance. */
const SHORTEST = 4;

function aboutPattern(
  { matcher }: Hook,
  { source, test }: Extract<Hook['match'], { kind: 'pattern' }>,
  all: ReadonlySet<string>,
): MatcherDoubt[] {
  if ([...all, 'mcp__server__tool'].some(test) || /mcp|__/.test(source)) return [];
  const what = `The pattern ${JSON.stringify(matcher ?? source)} matches no tool of any known agent.`;
  const meant = foldedFit(source, all);
  if (meant !== undefined)
    return [
      {
        isTypo: true,
        said: {
          code: 'wrong-case',
          severity: 'error',
          what,
          why: 'Patterns are case-sensitive, so the hook never runs.',
          remedy: `Did you mean ${JSON.stringify(meant)}?`,
        },
      },
    ];
  // Without escapes: `\w` names nothing.
  const words = source.replaceAll(/\\[^]/g, ' ').match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const near = words.flatMap((word) => (word.length < SHORTEST ? [] : (nearest(word, all, 1) ?? [])))[0];
  return [
    {
      isTypo: near !== undefined || words.length === 0,
      said: {
        code: 'dead-matcher',
        severity: 'warning',
        what,
        remedy:
          near === undefined
            ? 'Check it with: anyhook why tool.before --tool <name>'
            : `Did you mean ${JSON.stringify(near)}?`,
      },
    },
  ];
}

/** Escapes such as `\W` change their meaning when lowercased. */
function foldedFit(source: string, names: ReadonlySet<string>): string | undefined {
  if (/\\[A-Z]/.test(source)) return undefined;
  const { test } = compilePattern(source.toLowerCase());
  return [...names].find((name) => test(name.toLowerCase()));
}

const inAnyCase = (name: string, names: ReadonlySet<string>): string | undefined =>
  byLowercaseName(names).get(name.toLowerCase());

/** Names by their lowercase form; the first one wins. Built once for thousands of matchers. */
function byLowercaseName(names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const known = made.get(names);
  if (known !== undefined) return known;
  const small = new Map([...names].toReversed().map((name) => [name.toLowerCase(), name]));
  made.set(names, small);
  return small;
}
const made = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, string>>();
