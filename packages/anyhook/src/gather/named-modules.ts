/** Modules that the program's caller names (`--hook guard.ts`): the person's own word, so no trust is asked. */
import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Dialect, Locations } from '../events/dialect.ts';
import { looksExported } from '../agents/claude-agent-sdk/dialect/exported-hooks.ts';
import type { FoundModule } from '../settings/module-files.ts';
import { extensionEntries } from '../modules/extension-entries.ts';
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

/** The files of an extension package; what is none is for the loader to say. */
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
 * A module is evaluated when it is loaded, so whose it is is told by its text: ours calls `defineHook`, or holds
 * callbacks for the Claude Agent SDK under the names of its events.
 */
function isOurs(file: string): boolean {
  try {
    const text = readFileSync(file, 'utf8');
    return /\bdefineHook\s*\(/.test(text) || looksExported(text);
  } catch {
    return true; // the loader says what is wrong with it
  }
}
