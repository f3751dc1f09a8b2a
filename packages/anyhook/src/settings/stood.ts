/** Remembers which trusted guards a project has had, so that one that is changed or gone is noticed the next time. */
import { realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { readOwn } from './own-file.ts';

export interface StoodGuard {
  /** What was trusted. */
  readonly hash: string;
  /** Which entry it was, whatever became of its content. */
  readonly identity: string;
  /** As a person knows it. */
  readonly label: string;
  /** The settings file or module that asked for it. */
  readonly file: string;
  readonly dialect: string;
  /** The dialect's word. */
  readonly on: string;
  readonly matcher?: string;
  /** Tools by name, where it named some. */
  readonly names?: readonly string[];
}

export const stoodFile = (folder: string, root: string): string =>
  join(folder, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);

/** A project by its physical path, as trust knows it. */
export function rootOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/**
 * A list that another user could have written, or that cannot be read, is taken for empty. That lets nothing run that was not
 * trusted: trust is kept in a file of its own.
 */
export function readStood(file: string): readonly StoodGuard[] {
  try {
    const { guards } = JSON.parse(String(readOwn(file))) as { guards?: unknown };
    return Array.isArray(guards) ? guards.filter(isStood) : [];
  } catch {
    return [];
  }
}

/** Without guards the file is removed. */
export function writeStood(file: string, root: string, guards: readonly StoodGuard[]): void {
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

const isStood = (value: unknown): value is StoodGuard => {
  const { hash, identity, label, file, dialect, on } = (value ?? {}) as Partial<StoodGuard>;
  return [hash, identity, label, file, dialect, on].every((part) => typeof part === 'string');
};
