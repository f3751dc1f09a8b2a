/** Finds agent names in code outside the folders of that agent. */

import type { Tree } from './rooms.ts';

/** Folders about a single agent or dialect, and the order of dialects. */
const ABOUT = /^packages\/anyhook\/src\/agents\/|^packages\/anyhook\/src\/dialects\.ts$/;
const NO_SOURCE = /\.test(?:-d)?\.ts$|\/fixtures\//;

/** Removes comments, which may name an agent as an example. */
const codeOf = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

/** Returns one line per file and name, for names in quotes or as a key. */
export function namedIn(tree: Tree, names: readonly string[]): string[] {
  return [...tree].flatMap(([file, text]) => {
    if (ABOUT.test(file) || NO_SOURCE.test(file)) return [];
    const code = codeOf(text);
    return names
      .filter((name) => new RegExp(`(['"\`])${name}\\1|(?:^|[{,])\\s*${name}:`, 'm').test(code))
      .map((name) => `${file}: ${name}`);
  });
}
