/** The `$` that plugins are handed: Bun's own on Bun, and on Node one that a plugin cannot tell from it. */
import { resolve } from 'node:path';
import type { BunShell } from '../types/index.ts';
import { braces } from './braces.ts';
import { ShellError } from './output.ts';
import { type Defaults, ShellPromise } from './promise.ts';
import { writeScript } from './script.ts';
import { shellWords } from './words.ts';

export interface ShellTerms {
  readonly cwd: string;
  /** The process's own, read when a command starts, if it is left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends everything that still runs. */
  readonly signal?: AbortSignal;
  /** Where the output of commands goes that are not `quiet()`; the process's own stdout and stderr if left out. */
  readonly print?: Defaults['print'];
  /** A POSIX shell; found in the path if left out. */
  readonly shell?: string;
}
export interface Shell extends BunShell {
  (strings: TemplateStringsArray, ...expressions: unknown[]): ShellPromise;
  readonly ShellError: typeof ShellError;
  readonly ShellPromise: typeof ShellPromise;
}

/** One for each plugin: `$.cwd()` and its kin change the `$` they are called on. */
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

/** Bun's own `$`, when we run on Bun: an instance of it, so that one plugin's `$.cwd()` is not everybody's. */
function bunShell({ cwd, env }: ShellTerms): Shell | undefined {
  const { Bun } = globalThis as { Bun?: { readonly $?: BunsOwn } };
  if (Bun?.$ === undefined) return undefined;
  if (Bun.$.Shell === undefined) return Bun.$;
  const own = new Bun.$.Shell();
  own.cwd(cwd);
  if (env !== undefined) own.env({ ...env });
  return own;
}

/** As one word of a shell line: as it is when nothing in it is special, else between double quotes. */
const escape = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
