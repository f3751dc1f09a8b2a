/** Code of other languages on a command line: which files it loads, and where it looks for them. */

import { doubtsIn } from '../references/doubts.ts';
import { javascriptRefs, specifiersIn } from '../references/javascript.ts';
import type { ReadLanguage } from '../references/language.ts';
import { isForeignModule, runsOthers, pythonFiles, pythonRefs } from '../references/python.ts';
import type { Value } from './scope.ts';
import type { WordSpot, Visitor } from './visitor.ts';

export class InlineCode {
  private readonly visitor: Visitor;
  private readonly doubts: string[];
  /** Reports a file that JavaScript loads by a relative path. */
  private readonly load: (spot: WordSpot, here: Value | undefined) => void;

  constructor(visitor: Visitor, doubts: string[], load: InlineCode['load']) {
    [this.visitor, this.doubts, this.load] = [visitor, doubts, load];
  }

  code(spot: WordSpot, language: ReadLanguage, here: Value | undefined): void {
    const text = spot.value?.text ?? '';
    this.visitor.inline?.(text, language, spot.text);
    if (language === 'javascript') return this.javascript(spot, text, here);
    if (language === 'python') return this.python(spot, text, here);
    for (const doubt of doubtsIn(text, language === 'exec' ? 'other' : language))
      this.doubts.push(`${briefCode(spot.text)}: ${doubt}`);
  }

  /** `python3 -m name` searches the working folder first, so it is replaced with code that searches elsewhere. */
  module(option: WordSpot, name: WordSpot, from: number, here: Value | undefined): void {
    const module = name.value?.text.slice(from);
    if (module === undefined || here === undefined)
      return void this.doubts.push(`${name.text} is only known when it runs`);
    if (!/^[\w.]+$/.test(module)) return;
    const parts = module.split('.');
    const steps = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
    if (this.modules(steps, here, name.text).length > 0 || runsOthers(module))
      this.doubts.push(`python -m ${module}: what it loads and runs is not bound`);
    const path = this.visitor.pythonPath?.(here.text);
    const isOne = option === name;
    if (path === undefined) return;
    const code = moduleCode(module, path);
    const letters = isOne ? (name.value?.text ?? '').slice(0, from) : (option.value?.text ?? '');
    const asCode = letters.replace(/m$/, 'c');
    if (isOne) name.replace?.(`${asCode}${code}`);
    else {
      option.replace?.(asCode);
      name.replace?.(code);
    }
  }

  unknown(spot: WordSpot, language: ReadLanguage | undefined, here: Value | undefined): void {
    const path = here === undefined ? undefined : this.visitor.pythonPath?.(here.text);
    const isFixed = /__future__/.test(spot.text);
    const head = isFixed ? undefined : headOf(spot.text, language, path, this.visitor.javascriptHead);
    if (head !== undefined && !/["$`\\]/.test(head) && spot.prepend !== undefined) spot.prepend(head);
    else this.visitor.inline?.(spot.text, 'other', spot.text);
  }

  private javascript(spot: WordSpot, text: string, here: Value | undefined): void {
    const { near, asksPackage, doubts } = javascriptRefs(text);
    for (const doubt of doubts) this.doubts.push(`${briefCode(spot.text)}: ${doubt}`);
    if (asksPackage) this.doubts.push(`${briefCode(spot.text)}: it asks for what package.json says`);
    if (here === undefined && near.length > 0)
      return void this.doubts.push(
        `${briefCode(spot.text)}: the folder it runs in is only known when it runs`,
      );
    let [out, at] = ['', 0];
    for (const { specifier, pos, end } of specifiersIn(text)) {
      if (!/^\.\.?(?:\/|$)/.test(specifier)) continue;
      out += text.slice(at, pos);
      at = pos;
      const replace = spot.replace && {
        replace: (by: string) => {
          out += JSON.stringify(by);
          at = end;
        },
      };
      this.load({ text: specifier, value: { text: specifier, self: false }, ...replace }, here);
    }
    out = withHead(out + text.slice(at), this.visitor.javascriptHead);
    if (out !== text) spot.replace?.(out);
  }

  private python(spot: WordSpot, text: string, here: Value | undefined): void {
    for (const doubt of doubtsIn(text, 'python')) this.doubts.push(`${briefCode(spot.text)}: ${doubt}`);
    if (here === undefined)
      return void this.doubts.push(
        `${briefCode(spot.text)}: the folder it runs in is only known when it runs`,
      );
    const { searched, own, files } = pythonRefs(text);
    for (const name of this.modules([...searched, ...own], here, spot.text))
      this.doubts.push(`${briefCode(spot.text)}: the package ${name} is not bound`);
    for (const file of files)
      this.visitor.word({ ...FILE, role: 'read', path: `${here.text}/${file}`, word: spot.text });
    const done = withSearchPath(text, this.visitor.pythonPath?.(here.text) ?? []);
    if (done === undefined || spot.replace === undefined)
      this.doubts.push(`${briefCode(spot.text)}: it finds modules in the working folder`);
    else if (this.visitor.pythonPath !== undefined) spot.replace(done);
  }

  /** Reports the files that may be these modules. Returns the modules that must be installed, because no file was found. */
  private modules(modules: readonly string[], here: Value, word: string): string[] {
    this.visitor.searched?.(here.text);
    const isThere = (path: string) =>
      this.visitor.word({ ...FILE, role: 'maybe', path, word, language: 'python' }) !== undefined;
    const found = new Set<string>();
    for (const module of modules)
      for (const file of pythonFiles(module)) if (isThere(`${here.text}/${file}`)) found.add(topOf(module));
    return [...new Set(modules.map(topOf))].filter((top) => isForeignModule(top) && !found.has(top));
  }
}

const topOf = (module: string): string => module.replace(/^(?:\.*\/)*/, '').split('/', 1)[0] ?? '';

/** The text to put before code that is only partly known, so that it searches for modules elsewhere. */
function headOf(
  text: string,
  language: ReadLanguage | undefined,
  path: readonly string[] | undefined,
  head: string | undefined,
): string | undefined {
  if (language === 'python' && path !== undefined) return withSearchPath('', path);
  return language === 'javascript' && !/^["']\s*["']/.test(text) ? head : undefined;
}

const FILE = { self: false, stays: false } as const;

export const briefCode = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
};

/**
 * For `-c`, Python searches the working folder before its own library. The returned code searches `path` instead. Undefined
 * for code with a `__future__` import, which must be the first statement.
 */
export function withSearchPath(code: string, path: readonly string[]): string | undefined {
  if (/\b__future__\b/.test(code)) return undefined;
  return `${searchPath(path, `['']`)}\n${code}`;
}

/** Code that does the same as `-m name`. */
export const moduleCode = (module: string, path: readonly string[]): string =>
  `${searchPath(path, `['']`)}\n__import__('runpy')._run_module_as_main(${quoted(module)})`;

/** With `-P` or `PYTHONSAFEPATH` the working folder is not in the search path, which then stays as it is. */
const searchPath = (path: readonly string[], here: string): string =>
  `__import__('sys').path[:1] = ${path.length === 0 ? '[]' : `[${path.map(quoted).join(', ')}]`} if __import__('sys').path[:1] == ${here} else __import__('sys').path[:1]`;

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

/** Inserts the head after directives such as `'use strict'`. */
export function withHead(code: string, head: string | undefined): string {
  if (head === undefined) return code;
  const directives = /^(?:\s*(?:"[^"\n]*"|'[^'\n]*')\s*;)*/.exec(code)?.[0] ?? '';
  return `${directives}${head}${code.slice(directives.length)}`;
}
