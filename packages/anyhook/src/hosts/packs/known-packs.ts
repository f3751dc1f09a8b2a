/** By what a folder is known to hold hooks: ours, or a plugin, an extension, a package of another agent. */
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize, relative, sep } from 'node:path';
import { isFields } from '../../canon/fields.ts';
import { extensionEntries } from '../../assembly/foreign-modules/extension-entries.ts';
import { packageEntry } from '../../assembly/foreign-modules/package-entry.ts';
import { looksExported } from '../../dialects/claude-agent-sdk/exported-hooks.ts';
import { MODULE_ENDINGS } from '../../dialects/anyhook/places.ts';
import { UsageError } from '../console/usage.ts';
import type { PackEntry } from './pack.ts';

/** What one folder is to one agent. */
export interface KnownPack {
  readonly dialect: string;
  readonly entries: readonly PackEntry[];
  readonly modules: readonly string[];
}
type Manifest = Readonly<Record<string, unknown>>;

/** Ours first: who writes for us as well means us. */
export function knownPacks(folder: string, files: readonly string[]): KnownPack[] {
  const about = jsonIn(folder, 'package.json') ?? {};
  return [
    ours(folder, files, about),
    claudePlugin(folder, files),
    piPackage(folder, about),
    openCodePlugin(folder, about),
  ].filter((one) => one !== undefined);
}

const MODULE = new RegExp(`(?:${MODULE_ENDINGS.map((one) => one.replace('.', '\\.')).join('|')})$`);
export const isModule = (path: string): boolean =>
  MODULE.test(path) && !/\.(?:test|spec|cases|d|config)\.\w+$/.test(path);
export const isOurs = (text: string): boolean => /\bdefineHook\s*\(/.test(text) || looksExported(text);

/** What its manifest names under `anyhook.hooks`; else what lies in `hooks`, else what lies at the top. */
function ours(folder: string, files: readonly string[], about: Manifest): KnownPack | undefined {
  const named = isFields(about['anyhook']) ? about['anyhook']['hooks'] : undefined;
  if (Array.isArray(named)) {
    const modules = named.map((path) => String(path).replace(/^\.\//, ''));
    const missing = modules.find((path) => !files.includes(path));
    if (missing !== undefined)
      throw new UsageError(`add: its package.json names ${missing}, which is not there`);
    return { dialect: 'anyhook', entries: modules, modules };
  }
  const all = files.filter(isModule);
  const inHooks = all.filter((path) => /^hooks\/[^/]+$/.test(path));
  const modules = (inHooks.length > 0 ? inHooks : all.filter((path) => !path.includes('/'))).filter((path) =>
    isOurs(readFileSync(join(folder, path), 'utf8')),
  );
  return modules.length === 0 ? undefined : { dialect: 'anyhook', entries: modules, modules };
}

const PLUGIN = '.claude-plugin/plugin.json';
const USUAL = 'hooks/hooks.json';

/** Its usual file, and what its manifest names beside it or holds itself. */
function claudePlugin(folder: string, files: readonly string[]): KnownPack | undefined {
  if (!files.includes(PLUGIN) && !files.includes(USUAL)) return undefined;
  const said = jsonIn(folder, PLUGIN)?.['hooks'];
  const named = (Array.isArray(said) ? said : [said]).flatMap((one) =>
    typeof one === 'string' ? [normalize(one).split(sep).join('/')] : isFields(one) ? [PLUGIN] : [],
  );
  const settings = [...new Set([USUAL, ...named])].filter((path) => files.includes(path));
  if (settings.length === 0) return undefined;
  return {
    dialect: 'claude-code',
    entries: settings.map((path) => ({
      path: '.',
      dialect: 'claude-code',
      ...(path !== USUAL && { settings: path }),
    })),
    modules: settings,
  };
}

/** It says so, or it is written against that agent's package. */
function piPackage(folder: string, about: Manifest): KnownPack | undefined {
  const isSaid = isFields(about['pi']) || isFields(about['omp']) || keywordsOf(about).includes('pi-package');
  if (!isSaid && !needs(about, /^@(?:mariozechner|earendil-works|oh-my-pi)\/pi-coding-agent$/))
    return undefined;
  const modules = extensionEntries(folder).map((file) => below(folder, file));
  if (modules.length === 0) return undefined;
  return { dialect: 'oh-my-pi', entries: [{ path: '.', dialect: 'oh-my-pi' }], modules };
}

function openCodePlugin(folder: string, about: Manifest): KnownPack | undefined {
  const isSaid = keywordsOf(about).some((word) => /^opencode(?:-plugin)?$/.test(word));
  const isNamed = /(?:^|[/-])opencode(?:-|$)/.test(String(about['name'] ?? ''));
  if (!isSaid && !isNamed && !needs(about, /^@opencode(?:-ai)?\/plugin$/)) return undefined;
  const entry = packageEntry(folder);
  if ('fault' in entry) return undefined;
  return {
    dialect: 'opencode',
    entries: [{ path: '.', dialect: 'opencode' }],
    modules: [below(folder, entry.file)],
  };
}

const keywordsOf = (about: Manifest): string[] =>
  Array.isArray(about['keywords']) ? about['keywords'].map(String) : [];

const needs = (about: Manifest, name: RegExp): boolean =>
  ['dependencies', 'peerDependencies', 'devDependencies'].some(
    (key) => isFields(about[key]) && Object.keys(about[key]).some((one) => name.test(one)),
  );

const below = (folder: string, file: string): string => relative(folder, file).split(sep).join('/');

export function jsonIn(folder: string, path: string): Manifest | undefined {
  const file = join(folder, path);
  if (!existsSync(file)) return undefined;
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isFields(json) ? json : undefined;
  } catch (error) {
    throw new UsageError(`add: its ${path} cannot be read: ${(error as Error).message}`);
  }
}
