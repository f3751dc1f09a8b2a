/** Remembers the trusted guards of a project, so that a changed or missing one is noticed the next time. */

import { createHash } from 'node:crypto';
import { realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { readOwn } from './own-file.ts';

export interface TrustedGuard {
  /** The trusted hash. */
  readonly hash: string;
  /** Identifies the entry independent of its content. */
  readonly identity: string;
  /** Display name. */
  readonly label: string;
  /** The settings file or module that configures it. */
  readonly file: string;
  readonly dialect: string;
  /** The native event name. */
  readonly on: string;
  readonly matcher?: string;
  /** Names of the tools that it matches, if any. */
  readonly names?: readonly string[];
}

export const trustedGuardsFile = (folder: string, root: string): string =>
  join(folder, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);

/** Returns the physical path of a project, as trust uses it. */
export function rootOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/**
 * A list that is unreadable, or that another user could have written, counts as empty. This does not run
 * anything untrusted, because trust is stored separately.
 */
export function readTrustedGuards(file: string): readonly TrustedGuard[] {
  try {
    const { guards } = JSON.parse(String(readOwn(file))) as { guards?: unknown };
    return Array.isArray(guards) ? guards.filter(isTrustedGuard) : [];
  } catch {
    return [];
  }
}

/** Removes the file if there are no guards. */
export function writeTrustedGuards(file: string, root: string, guards: readonly TrustedGuard[]): void {
  if (guards.length === 0) return rmSync(file, { force: true });
  makeFolder(dirname(file));
  const aside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(aside, `${JSON.stringify({ project: root, guards }, null, 2)}\n`, { mode: 0o600 });
    renameSync(aside, file);
  } catch {
    rmSync(aside, { force: true });
  }
}

const isTrustedGuard = (value: unknown): value is TrustedGuard => {
  const { hash, identity, label, file, dialect, on } = (value ?? {}) as Partial<TrustedGuard>;
  return [hash, identity, label, file, dialect, on].every((part) => typeof part === 'string');
};
