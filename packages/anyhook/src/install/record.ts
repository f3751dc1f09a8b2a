/** What an install found and left behind, so that an uninstall can put back exactly that. Kept outside every project. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { InstallLocation } from '../agents/shared/bridge.ts';
import { foldersOf } from '../gather/folders.ts';
import { readIfAllowed } from './read-if-allowed.ts';

export interface KeptFile {
  readonly path: string;
  /** The file before, in base64; null: there was none. */
  readonly before: string | null;
  /** What we left. */
  readonly after: string;
  /** Containers of the JSON that we made. */
  readonly made: readonly string[];
  /** Folders that we made, the innermost first. */
  readonly folders: readonly string[];
  /** MCP servers as they were before the proxy stood in their place. */
  readonly servers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
export interface InstallRecord {
  readonly agent: string;
  readonly scope: string;
  readonly files: readonly KeptFile[];
}

export const fileHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Beside the trust store: outside every project. Of the whole machine, where nobody but root looks. */
export const installsIn = (where: InstallLocation): string =>
  where.scope === 'managed'
    ? join(where.home, 'var/lib/anyhook/installs')
    : join(foldersOf(where).data, 'installs');

/** Of one agent, wherever it is installed: each place has its own record. */
export function recordFile(folder: string, agent: string, paths: readonly string[]): string {
  return join(folder, `${agent}-${fileHash(Buffer.from(paths.join('\0'))).slice(0, 16)}.json`);
}

/**
 * One that is damaged is none: entries are still known by their line. One that somebody else has locked away is there all the
 * same, and what it says may not be guessed: it throws.
 */
export function readInstallRecord(file: string): InstallRecord | undefined {
  const text = readIfAllowed(file)?.toString();
  try {
    return text === undefined ? undefined : (JSON.parse(text) as InstallRecord);
  } catch {
    return undefined;
  }
}

/** It holds what settings files held, which is nobody else's business. */
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
