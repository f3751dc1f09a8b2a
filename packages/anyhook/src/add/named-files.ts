/** Finds the files of a pack that would run: those with hooks, and all files that these name, directly or indirectly. */

import { basename } from 'node:path';

/** `starts` come first. Matches by name only: showing too much costs a look, missing a file costs more. */
export function filesThatRun(files: ReadonlyMap<string, Buffer>, starts: readonly string[]): string[] {
  const found = new Set(starts.filter((path) => files.has(path)));
  const candidates = [...files.keys()].filter(
    (path) => !NEVER_RUNS.test(path) && !path.includes('node_modules/'),
  );
  for (const path of found) {
    const text = files.get(path)!.toString();
    for (const other of candidates) if (!found.has(other) && names(text, other)) found.add(other);
  }
  return [...found];
}

const NEVER_RUNS = /(?:\.(?:md|map|txt|png|svg)|(?:^|\/)(?:licen[cs]e|readme)[^/]*)$/i;

/** Its file name as a whole word, or without extension as in imports. */
function names(text: string, path: string): boolean {
  const name = basename(path);
  const bare = name.replace(/\.(?:[cm]?[jt]sx?|py|sh)$/, '');
  return (
    holdsWord(text, name) ||
    (bare !== name &&
      new RegExp(
        `(?:[./]${escaped(bare)}['"]|\\bimport\\s+${escaped(bare)}\\b|\\bfrom\\s+\\.*${escaped(bare)}\\b)`,
      ).test(text))
  );
}

const holdsWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w.-])${escaped(word)}(?![\\w-])`).test(text);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
