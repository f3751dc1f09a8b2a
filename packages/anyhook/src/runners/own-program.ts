/**
 * Finds the Node and the environment for our own programs. `process.execPath` is not always Node: in a single
 * executable (Node SEA, pkg, `bun build --compile`) it is the application itself, and starting it would start
 * the application again and again.
 */

import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, isAbsolute, join } from 'node:path';

export interface OwnProgram {
  /** Absolute path of Node, or of an executable that behaves like Node with `env`. */
  readonly node: string;
  /** Node options before the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
/** Why no program can be started, and what to do. */
export interface NoProgram {
  readonly missing: string;
}

/**
 * Set for all our programs. A program that finds it without being one of them was started in place of Node.
 */
export const STARTED_AS_HELPER = 'ANYHOOK_HELPER';

/** The facts that this decides by. Tests pass their own. */
export interface RuntimeFacts {
  readonly execPath: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The application and its Node are one file. */
  readonly isSingleExecutable: boolean;
}

export const runtimeFacts = (): RuntimeFacts => ({
  execPath: process.execPath,
  versions: process.versions,
  env: process.env,
  isSingleExecutable: isSea() || 'pkg' in process || '__nexe' in process,
});

function isSea(): boolean {
  try {
    return (createRequire(import.meta.url)('node:sea') as { isSea(): boolean }).isSea();
  } catch {
    return false; // a Node without single executables
  }
}

/**
 * `but`: a runtime that the program does not support. Bun passes no pipes beyond the first three to its
 * children.
 */
export function ownProgram(
  about: RuntimeFacts = runtimeFacts(),
  { but }: { readonly but?: 'bun' } = {},
): OwnProgram | NoProgram {
  const { execPath, versions, env } = about;
  if (env[STARTED_AS_HELPER] !== undefined)
    return {
      missing: `${execPath} was started in place of Node to run hooks, but is not Node. Set ANYHOOK_NODE to the path of Node 20.19 or newer.`,
    };
  const helper = { [STARTED_AS_HELPER]: '1' };
  const named = env['ANYHOOK_NODE'];
  if (named !== undefined && named !== '') return { node: named, args: pnpOptions(about), env: helper };
  if (versions['bun'] !== undefined && but !== 'bun')
    return { node: execPath, args: [], env: { ...helper, BUN_BE_BUN: '1' } };
  if (versions['electron'] !== undefined)
    return { node: execPath, args: [], env: { ...helper, ELECTRON_RUN_AS_NODE: '1' } };
  const isOther = ['bun', 'nw', 'deno'].some((name) => versions[name] !== undefined);
  const isNode = !about.isSingleExecutable && !isOther;
  if (isNode && /^node(?:js)?[-v\d.]*(?:\.exe)?$/i.test(basename(execPath)))
    return { node: execPath, args: pnpOptions(about), env: helper };
  const installed = nodeOnPath(env);
  if (installed !== undefined) return { node: installed, args: pnpOptions(about), env: helper };
  if (isNode) return { node: execPath, args: pnpOptions(about), env: helper }; // a Node with another name
  return {
    missing: `Hooks need Node. ${execPath} is not Node, and there is no node on the PATH. Install Node 20.19 or newer, or set ANYHOOK_NODE to its path.`,
  };
}

/**
 * Ignores `node_modules` in PATH, because it may belong to a project (`npm run` adds `node_modules/.bin`).
 */
function nodeOnPath(env: RuntimeFacts['env']): string | undefined {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]/.test(`${folder}/`))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // missing, or not executable
  }
}

/** Under Yarn's Plug'n'Play, its loader resolves packages, so a new process needs the same loader options. */
function pnpOptions({ versions, env }: RuntimeFacts): readonly string[] {
  if (versions['pnp'] === undefined) return [];
  const words = (env['NODE_OPTIONS'] ?? '').match(/"[^"]*"|\S+/g) ?? [];
  const plain = words.map((word) => word.replaceAll('"', ''));
  return plain.flatMap((word, at) => {
    const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (plain[at + 1] ?? '');
    const isLoader = /^(?:--require|-r|--loader|--experimental-loader|--import)(?:=|$)/.test(word);
    if (!isLoader || !/\.pnp\.(?:loader\.mjs|cjs|js)$/.test(value)) return [];
    return word.includes('=') ? [word] : [word, value];
  });
}
