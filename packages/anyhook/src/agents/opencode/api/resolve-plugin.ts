/** Resolves a settings entry to the plugin file. Nothing is installed. */

import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../../../events/problems.ts';
import { packageEntry } from '../../../modules/package-entry.ts';
import { packageFolder } from './package-folder.ts';
import { type PluginRequest, isPathSpec } from './plugin-spec.ts';
import type { PluginOptions } from './types/index.ts';

/** An npm package specifier, parsed far enough to find the installed name. */
interface PackageSpec {
  readonly name: string;
  /** A version, range, tag or URL; default: `latest`. */
  readonly version: string;
}

const NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;

/** Undefined for a URL alone, whose package name is only known after installation. */
export function packageSpec(spec: string): PackageSpec | undefined {
  const text = spec.trim();
  if (text.startsWith('npm:')) return packageSpec(text.slice('npm:'.length));
  const at = text.indexOf('@', 1); // a leading @ belongs to the scope
  const name = at === -1 ? text : text.slice(0, at);
  if (!NAME.test(name)) return undefined;
  return { name, version: (at === -1 ? '' : text.slice(at + 1)) || 'latest' };
}

export interface PluginTarget {
  /** As written in the settings. */
  readonly spec: string;
  readonly file: string;
  /** All its own code is below this folder. */
  readonly root: string;
  /** One plugin per key: the package name, or the file. */
  readonly key: string;
  readonly source: 'path' | 'package';
  readonly options?: PluginOptions;
}
export interface ResolveTerms {
  /** Relative paths start here, and packages are searched here first. */
  readonly from: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The file with the entry, shown to users. */
  readonly file: string;
  readonly key: string;
}

export function resolvePlugin(asked: PluginRequest, terms: ResolveTerms): PluginTarget | Problem {
  const found = isPathSpec(asked.spec) ? resolvePath(asked.spec, terms) : resolvePackage(asked.spec, terms);
  if ('fault' in found)
    return {
      code: found.code ?? 'not-loaded',
      file: terms.file,
      key: terms.key,
      message: `plugin ${JSON.stringify(asked.spec)}: ${found.fault}`,
      ...(found.remedy !== undefined && { remedy: found.remedy }),
      severity: 'error',
    };
  return { ...found, spec: asked.spec, ...(asked.options !== undefined && { options: asked.options }) };
}

interface Fault {
  readonly fault: string;
  readonly remedy?: string;
  readonly code?: Problem['code'];
}
type ResolveResult = Omit<PluginTarget, 'spec' | 'options'> | Fault;

function resolvePath(spec: string, terms: ResolveTerms): ResolveResult {
  const path = pathOf(spec, terms);
  if (typeof path !== 'string') return path;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    return { fault: `${path} does not exist`, code: 'file-unreadable', remedy: 'Check the path.' };
  if (!found.isDirectory()) return { file: path, root: join(path, '..'), key: path, source: 'path' };
  const entry = packageEntry(path);
  return 'fault' in entry
    ? { fault: entry.fault, code: 'file-not-regular', remedy: 'Name the plugin file itself.' }
    : { file: entry.file, root: path, key: entry.file, source: 'path' };
}

function pathOf(spec: string, { from, home = homedir() }: ResolveTerms): string | Fault {
  if (spec === '~' || spec.startsWith('~/')) return join(home, spec.slice(1));
  if (!spec.startsWith('file:')) return resolve(from, spec);
  try {
    return fileURLToPath(spec);
  } catch (error) {
    return { fault: `invalid file URL: ${(error as Error).message}`, code: 'bad-value' };
  }
}

function resolvePackage(spec: string, terms: ResolveTerms): ResolveResult {
  const named = packageSpec(spec);
  if (named === undefined)
    return {
      fault: 'the package name is missing',
      code: 'bad-value',
      remedy: 'Install it and write its installed name.',
    };
  const { name } = named;
  const folder = homesOf(terms)
    .map((from) => packageFolder(name, from))
    .find((found) => found !== undefined);
  if (folder === undefined)
    return {
      fault: `${name} is not installed`,
      remedy: `Install it: npm install ${name}${named.version === 'latest' ? '' : `@${named.version}`}`,
    };
  const entry = packageEntry(folder);
  return 'fault' in entry ? entry : { file: entry.file, root: folder, key: name, source: 'package' };
}

/** The project first, then OpenCode's own install folders. */
const homesOf = ({ from, home = homedir(), env = {} }: ResolveTerms): readonly string[] => [
  from,
  join(from, '.opencode'),
  ...(env['OPENCODE_CONFIG_DIR'] ? [env['OPENCODE_CONFIG_DIR']] : []),
  join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode'),
  join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'opencode'),
];
