/** `find` that changes what it finds: whether its tests let something guarded through. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ShellWord } from '../shell/word.ts';
import { fold } from './fold.ts';
import { globTest } from './guarded-tree.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type { PathSight, Terms } from './sight.ts';
import { sweepOf } from './sweep.ts';

const TESTS = /^-i?(name|path|wholename|regex)$/;

export function findObjection(
  words: readonly ShellWord[],
  sight: PathSight,
  terms: Terms,
): Objection | undefined {
  const args = words.slice(1);
  const first = args.findIndex(({ value }) => /^[-!(]/.test(value) && !/^-[HLPDO]/.test(value));
  const starts = (first === -1 ? args : args.slice(0, first)).filter(({ value }) => !value.startsWith('-'));
  const said = args.map(({ value }) => value).join(' ');
  for (const start of starts) {
    const meaning = sight.meaning(start);
    if (meaning === 'inside') return refusal(`find is given ${start.text}`);
    if (meaning === 'unclear') return doubt(`find begins in ${start.text}, which is known only at run time`);
  }
  const folders = starts.length === 0 ? sight.folders : starts.flatMap((one) => placesOf(one, sight));
  const below = terms.guarded
    .below(...folders)
    .filter(existsSync)
    .map(fold);
  if (below.length === 0 || findsEmpty(args)) return undefined;
  const tests = testsIn(args);
  if (tests === 'unclear') return doubt(`nobody can tell what it finds: find ${said}`);
  const [start] = starts;
  if (tests.length === 0 && start !== undefined) return sweepOf('find', start, sight, terms);
  const hit = below.find((path) => tests.length === 0 || tests.some((passes) => passes(path, folders)));
  return hit === undefined ? undefined : refusal(`find would find ${hit}: find ${said}`);
}

const placesOf = (word: ShellWord, { folders, spelled }: PathSight): string[] =>
  spelled(word).flatMap((said) => folders.map((folder) => resolve(folder, said)));

/** Only what holds nothing, and so guards nothing. */
const findsEmpty = (args: readonly ShellWord[]): boolean => {
  const words = args.map(({ value }) => value);
  return words.includes('-empty') && !words.some((word) => /^(?:-o|-or|,|!|-not)$/.test(word));
};

type Test = (path: string, starts: readonly string[]) => boolean;

/** What is demanded; what is forbidden (`!`, `-not`) narrows nothing for sure. */
function testsIn(args: readonly ShellWord[]): readonly Test[] | 'unclear' {
  const tests: Test[] = [];
  for (const [at, { value }] of args.entries()) {
    const kind = TESTS.exec(value)?.[1];
    const pattern = args[at + 1];
    if (kind === undefined || pattern === undefined || /^(?:!|-not)$/.test(args[at - 1]?.value ?? ''))
      continue;
    if (kind === 'regex' || !pattern.fixed) return 'unclear';
    tests.push(kind === 'name' ? namesPass(pattern.value) : pathsPass(pattern.value));
  }
  return tests;
}

/** Also a folder on the way: what is done to it is done to what lies below. */
function namesPass(pattern: string): Test {
  const matches = matcherOf(pattern);
  return (path, starts) => waysTo(path, starts).some((way) => way.split('/').some(matches));
}

/** Here `*` stands for slashes too. A guarded folder holds what has no name here. */
function pathsPass(pattern: string): Test {
  const matches = matcherOf(pattern);
  return (path, starts) =>
    [path, ...waysTo(path, starts).flatMap((way) => [way, `./${way}`])].some(
      (one) => matches(one) || matches(`${one}/x`),
    );
}

/** To `find`, braces are letters. */
const matcherOf = (pattern: string): ((text: string) => boolean) =>
  globTest(fold(pattern).replaceAll(/[{}]/g, '?'));

const waysTo = (path: string, starts: readonly string[]): string[] =>
  starts.flatMap((start) => {
    const lead = `${fold(start).replace(/\/$/, '')}/`;
    return path.startsWith(lead) ? [path.slice(lead.length)] : [];
  });
