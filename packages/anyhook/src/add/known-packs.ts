/** Recognises the dialect of a folder with hooks by asking every dialect that has packs. Ours wins if several match. */

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { looksExported } from '../agents/claude-agent-sdk/dialect/exported-hooks.ts';
import { UsageError } from '../console/usage.ts';
import { DIALECTS } from '../dialects.ts';
import { isFields } from '../events/fields.ts';
import type { KnownPack, PackLook } from '../events/pack.ts';
import { extensionEntries } from '../modules/extension-entries.ts';
import { packageEntry } from '../modules/package-entry.ts';

const OURS = 'anyhook';
const withPacks = () =>
  DIALECTS.flatMap(({ name, packs }) => (packs === undefined ? [] : [{ name, packs }])).toSorted(
    (a, b) => Number(b.name === OURS) - Number(a.name === OURS),
  );

export function knownPacks(
  folder: string,
  files: readonly string[],
): (KnownPack & { readonly dialect: string })[] {
  const below = (file: string) => relative(folder, file).split(sep).join('/');
  const look: PackLook = {
    files,
    manifest: jsonIn(folder, 'package.json') ?? {},
    json: (path) => jsonIn(folder, path),
    holdsOwnHooks: (path) => isOurs(readFileSync(join(folder, path), 'utf8')),
    start() {
      const entry = packageEntry(folder);
      return 'fault' in entry ? undefined : below(entry.file);
    },
    extensions: () => extensionEntries(folder).map(below),
  };
  return withPacks().flatMap(({ name, packs }) => {
    const known = readAs(name, () => packs.known(look));
    const missing = known?.modules.find((path) => !files.includes(path));
    if (missing !== undefined)
      throw new UsageError(`add: its package.json names ${missing}, which is not there`);
    return known === undefined ? [] : [{ ...known, dialect: name }];
  });
}

/** A folder that its reader cannot handle is invalid input, not a crash. */
function readAs<T>(dialect: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `add: its files could not be read as hooks of ${dialect}: ${(error as Error).message}`,
    );
  }
}

const isOurs = (text: string): boolean => /\bdefineHook\s*\(/.test(text) || looksExported(text);

/** Ours if no dialect claims it. */
export const claimedBy = (text: string): string =>
  isOurs(text) ? OURS : (withPacks().find(({ packs }) => packs.claims?.(text))?.name ?? OURS);

export function jsonIn(folder: string, path: string): Readonly<Record<string, unknown>> | undefined {
  const file = join(folder, path);
  if (!existsSync(file)) return undefined;
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isFields(json) ? json : undefined;
  } catch (error) {
    throw new UsageError(`add: its ${path} cannot be read: ${(error as Error).message}`);
  }
}
