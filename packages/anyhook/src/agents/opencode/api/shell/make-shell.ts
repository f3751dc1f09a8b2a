/** Creates the `$` of plugins: Bun's own on Bun, and an equivalent on Node. */

import { resolve } from 'node:path';
import type { BunShell } from '../types/index.ts';
import { ShellError } from './output.ts';
import { type Defaults, ShellPromise } from './promise.ts';
import { writeScript } from './script.ts';
import { shellWords } from './words.ts';

export interface ShellTerms {
  readonly cwd: string;
  /** Default: the environment of the process, read when a command starts. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Kills all running commands. */
  readonly signal?: AbortSignal;
  /** Receives the output of commands without `quiet()`; default: stdout and stderr of the process. */
  readonly print?: Defaults['print'];
  /** A POSIX shell; default: searched in the path. */
  readonly shell?: string;
}
export interface Shell extends BunShell {
  (strings: TemplateStringsArray, ...expressions: unknown[]): ShellPromise;
  readonly ShellError: typeof ShellError;
  readonly ShellPromise: typeof ShellPromise;
}

/** One per plugin, because `$.cwd()` and similar methods change the `$` on which they are called. */
export function makeShell(terms: ShellTerms): Shell {
  const own = bunShell(terms);
  if (own !== undefined) return own;
  const { env = process.env, print = toProcess } = terms;
  const first: Defaults = { ...terms, env: () => env, print, throws: true };
  let now = first;
  const change = (changed: Partial<Defaults>): Shell => {
    now = { ...now, ...changed };
    return $;
  };
  const tag = (strings: TemplateStringsArray, ...values: unknown[]): ShellPromise => {
    if (strings?.raw === undefined) throw new TypeError('$ is a tag for templates: $`ls ${folder}`');
    return new ShellPromise(writeScript(strings.raw, values.map(shellWords)), now);
  };
  const $: Shell = Object.assign(tag, {
    braces,
    escape,
    ShellError,
    ShellPromise,
    cwd: (folder?: string) => change({ cwd: folder === undefined ? first.cwd : resolve(first.cwd, folder) }),
    env: (variables?: Record<string, string | undefined>) =>
      change({ env: variables === undefined ? first.env : () => variables }),
    nothrow: () => change({ throws: false }),
    throws: (shouldThrow: boolean) => change({ throws: shouldThrow }),
  });
  return $;
}

const toProcess: Defaults['print'] = (stream, chunk) => void process[stream].write(chunk);

interface BunsOwn extends Shell {
  readonly Shell?: new () => Shell;
}

/** On Bun: an instance of Bun's own `$`, so that `$.cwd()` of one plugin does not affect others. */
function bunShell({ cwd, env }: ShellTerms): Shell | undefined {
  const { Bun } = globalThis as { Bun?: { readonly $?: BunsOwn } };
  if (Bun?.$ === undefined) return undefined;
  if (Bun.$.Shell === undefined) return Bun.$;
  const own = new Bun.$.Shell();
  own.cwd(cwd);
  if (env !== undefined) own.env({ ...env });
  return own;
}

/** Returns a single shell word: unchanged without special characters, otherwise in double quotes. */
const escape = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replace(/[\\"$`]/g, '\\$&')}"`;

/** Expands `a{b,c}` to `ab`, `ac` like a shell. Braces without a comma are unchanged. */
function braces(pattern: string): string[] {
  const found = firstList(pattern);
  if (found === undefined) return [pattern];
  const { open, close, commas } = found;
  const cuts = [open, ...commas, close];
  const choices = cuts.slice(1).map((end, index) => pattern.slice(cuts[index]! + 1, end));
  const rests = braces(pattern.slice(close + 1));
  return choices
    .flatMap(braces)
    .flatMap((choice) => rests.map((rest) => pattern.slice(0, open) + choice + rest));
}

/** The first pair of braces with a comma directly inside. */
function firstList(pattern: string): { open: number; close: number; commas: number[] } | undefined {
  for (let open = pattern.indexOf('{'); open !== -1; open = pattern.indexOf('{', open + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = open; at < pattern.length; at++) {
      if (pattern[at] === '\\') at++;
      else if (pattern[at] === '{') depth++;
      else if (pattern[at] === ',' && depth === 1) commas.push(at);
      else if (pattern[at] === '}' && --depth === 0) {
        if (commas.length > 0) return { open, close: at, commas };
        break;
      }
    }
  }
  return undefined;
}
