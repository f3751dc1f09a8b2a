/** Finds modules named on the command line (`--hook guard.ts`). The user named them, so they need no trust. */

import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { looksExported } from '../agents/claude-agent-sdk/dialect/exported-hooks.ts';
import type { Dialect, Locations } from '../events/dialect.ts';
import { extensionEntries } from '../modules/extension-entries.ts';
import type { FoundModule } from '../settings/module-files.ts';
import type { FoundForeign } from './load-foreign.ts';

export interface NamedModules {
  readonly ours: readonly FoundModule[];
  readonly foreign: readonly FoundForeign[];
}

export function namedModules(
  paths: readonly string[],
  locations: Pick<Locations, 'home' | 'cwd'>,
  dialects: readonly Dialect[],
): NamedModules {
  const files = [...new Set(paths.flatMap((path) => started(placed(path, locations))))];
  const theirs = dialects.find(({ moduleFinder }) => moduleFinder?.takesNamed === true);
  const ours = files.filter((file) => theirs === undefined || isOurs(file));
  return {
    ours: ours.map((file) => ({ file, layer: 'session', asker: file, line: 1 })),
    foreign: files.flatMap((file) =>
      theirs === undefined || ours.includes(file)
        ? []
        : [{ dialect: theirs, file, layer: 'session' as const, asker: { file, line: 1 } }],
    ),
  };
}

/** Returns the entry files of an extension package. The loader reports a folder that is not one. */
function started(path: string): readonly string[] {
  try {
    const entries = extensionEntries(path);
    return entries.length === 0 ? [path] : entries;
  } catch {
    return [path]; // the folder cannot be listed: the loader reports it
  }
}

const placed = (path: string, { home, cwd }: Pick<Locations, 'home' | 'cwd'>): string => {
  const full = /^~[\\/]/.test(path) ? join(home, path.slice(2)) : path;
  return isAbsolute(full) ? full : resolve(cwd, full);
};

/**
 * Modules run code when they are loaded, so the format is detected from the text. Our modules call `defineHook` or
 * export callbacks under event names of the Claude Agent SDK.
 */
function isOurs(file: string): boolean {
  try {
    const text = readFileSync(file, 'utf8');
    return /\bdefineHook\s*\(/.test(text) || looksExported(text);
  } catch {
    return true; // the loader reports the error
  }
}
