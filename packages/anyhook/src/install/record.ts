/** Records what an install found and changed, so that an uninstall can restore it exactly. Stored outside every project. */

import { createHash } from 'node:crypto';
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { InstallLocation } from '../agents/shared/bridge.ts';
import { foldersOf } from '../gather/folders.ts';
import { readIfAllowed } from './read-if-allowed.ts';

export interface KeptFile {
  readonly path: string;
  /** The file before, in base64; null if there was none. */
  readonly before: string | null;
  /** Hash of the file that we wrote. */
  readonly after: string;
  /** JSON containers that we created. */
  readonly made: readonly string[];
  /** Folders that we created, innermost first. */
  readonly folders: readonly string[];
  /** MCP servers before they were wrapped in the proxy. */
  readonly servers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
export interface InstallRecord {
  readonly agent: string;
  readonly scope: string;
  readonly files: readonly KeptFile[];
}

export const fileHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Beside the trust store, outside every project. For managed installs, in a folder that only root can change. */
export const installsIn = (where: InstallLocation): string =>
  where.scope === 'managed'
    ? join(where.home, 'var/lib/anyhook/installs')
    : join(foldersOf(where).data, 'installs');

/** One record per agent and location. */
export function recordFile(folder: string, agent: string, paths: readonly string[]): string {
  return join(folder, `${agent}-${fileHash(Buffer.from(paths.join('\0'))).slice(0, 16)}.json`);
}

/**
 * A damaged record counts as missing, because entries are still recognised by their line. A record that may not be read exists
 * and must not be guessed, so this throws.
 */
export function readInstallRecord(file: string): InstallRecord | undefined {
  const text = readIfAllowed(file)?.toString();
  try {
    return text === undefined ? undefined : (JSON.parse(text) as InstallRecord);
  } catch {
    return undefined;
  }
}

/** Private to the owner, because it contains the text of settings files. */
export function keepRecord(file: string, record: InstallRecord): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomic.sync(file, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}
export function dropRecord(file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // other records are left in it, or it is gone
  }
}
