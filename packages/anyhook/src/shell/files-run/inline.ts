/** Code of a command line, with another place to look for its modules than the working folder. */

/**
 * Python puts the working folder before its own library for `-c`; `path` is put in its place. Nothing where the code
 * must stay as it is: a `__future__` import has to be the first statement.
 */
export function withSearchPath(code: string, path: readonly string[]): string | undefined {
  if (/\b__future__\b/.test(code)) return undefined;
  return `${searchPath(path, `['']`)}\n${code}`;
}

/** What `-m name` does, as code. */
export const moduleCode = (module: string, path: readonly string[]): string =>
  `${searchPath(path, `['']`)}\n__import__('runpy')._run_module_as_main(${quoted(module)})`;

/** Where `-P` or `PYTHONSAFEPATH` has taken the working folder away already, nothing is taken away. */
const searchPath = (path: readonly string[], here: string): string =>
  `__import__('sys').path[:1] = ${path.length === 0 ? '[]' : `[${path.map(quoted).join(', ')}]`} if __import__('sys').path[:1] == ${here} else __import__('sys').path[:1]`;

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

/** Directives (`'use strict'`) keep their place at the front. */
export function withHead(code: string, head: string | undefined): string {
  if (head === undefined) return code;
  const directives = /^(?:\s*(?:"[^"\n]*"|'[^'\n]*')\s*;)*/.exec(code)?.[0] ?? '';
  return `${directives}${head}${code.slice(directives.length)}`;
}
