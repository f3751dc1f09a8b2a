/** Objects to a `find` that changes files, if its tests let a guarded path through. */

import { existsSync } from 'node:fs';
import type { ShellAct } from '../shell/act.ts';
import type { ShellWord } from '../shell/word.ts';
import { fold } from './compare-paths.ts';
import { globTest } from './guarded-tree.ts';
import { doubt, type Objection, refusal, sweepObjection } from './objection.ts';
import type { GuardedCall, PathResolver } from './path-resolver.ts';

export function findObjection(
  { words, args }: ShellAct,
  resolver: PathResolver,
  context: GuardedCall,
): Objection | undefined {
  const starts = startsOf(words);
  for (const start of starts) {
    const touch = resolver.touch(start);
    if (touch === 'inside') return refusal(`find is given ${start.text}`);
    if (touch === 'unclear') return doubt(`find begins in ${start.text}, which is known only at run time`);
  }
  const folders = starts.length === 0 ? resolver.folders : starts.flatMap((start) => resolver.places(start));
  const below = context.guarded
    .below(...folders)
    .filter((path) => existsSync(path))
    .map(fold);
  if (below.length === 0 || findsOnlyEmpty(args)) return undefined;
  const tests = testsIn(words.slice(1));
  if (tests === 'unclear') return doubt(`nobody can tell what it finds: find ${args.join(' ')}`);
  const [start] = starts;
  if (tests.length === 0 && start !== undefined) return sweepObjection('find', start, resolver, context);
  const hit = below.find((path) => tests.length === 0 || tests.some((passes) => passes(path, folders)));
  return hit === undefined ? undefined : refusal(`find would find ${hit}: find ${args.join(' ')}`);
}

/** The folders in which it starts. */
export function startsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const args = words.slice(1);
  const first = args.findIndex(({ value }) => /^[-!(]/.test(value) && !/^-[HLPDO]/.test(value));
  return (first === -1 ? args : args.slice(0, first)).filter(({ value }) => !value.startsWith('-'));
}

/** An empty file or folder guards nothing. */
const findsOnlyEmpty = (args: readonly string[]): boolean =>
  args.includes('-empty') && !args.some((arg) => /^(?:-o|-or|,|!|-not)$/.test(arg));

type PathTest = (path: string, starts: readonly string[]) => boolean;

const TESTS = /^-i?(name|path|wholename|regex)$/;

/** The tests that a path must pass. Negated tests (`!`, `-not`) are ignored, because they may let any guarded path through. */
function testsIn(args: readonly ShellWord[]): readonly PathTest[] | 'unclear' {
  const tests: PathTest[] = [];
  for (const [at, { value }] of args.entries()) {
    const kind = TESTS.exec(value)?.[1];
    const pattern = args[at + 1];
    if (kind === undefined || pattern === undefined || /^(?:!|-not)$/.test(args[at - 1]?.value ?? ''))
      continue;
    if (kind === 'regex' || !pattern.fixed) return 'unclear';
    tests.push(kind === 'name' ? namePasses(pattern.value) : pathPasses(pattern.value));
  }
  return tests;
}

/** A folder on the way counts too: what is done to the folder is done to everything below it. */
function namePasses(pattern: string): PathTest {
  const matches = patternTest(pattern);
  return (path, starts) => relativeTo(starts, path).some((way) => way.split('/').some(matches));
}

/** In these patterns `*` also matches slashes. A guarded folder contains files whose names are unknown. */
function pathPasses(pattern: string): PathTest {
  const matches = patternTest(pattern);
  return (path, starts) =>
    [path, ...relativeTo(starts, path).flatMap((way) => [way, `./${way}`])].some(
      (spelling) => matches(spelling) || matches(`${spelling}/x`),
    );
}

/** `find` knows no braces, so they are letters. */
const patternTest = (pattern: string): ((text: string) => boolean) =>
  globTest(fold(pattern).replaceAll(/[{}]/g, '?'));

const relativeTo = (starts: readonly string[], path: string): string[] =>
  starts.flatMap((start) => {
    const lead = `${fold(start).replace(/\/$/, '')}/`;
    return path.startsWith(lead) ? [path.slice(lead.length)] : [];
  });
