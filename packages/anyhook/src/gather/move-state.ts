/**
 * Versions before 0.2 kept trust, install records and other state in `~/.config/anyhook`, which people keep in dotfile
 * repositories. It is moved to the data folder once, and the next session is told.
 */

import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepAct } from '../settings/acts.ts';
import type { Folders } from './folders.ts';

const NAMES = ['trust', 'heads', 'stood', 'agents', 'installs', 'paused.json'] as const;

/** Returns what was moved. A name that is in the new folder already stays as it is: the new one counts. */
export function moveOldState({
  config,
  data,
  acts,
}: Pick<Folders, 'config' | 'data' | 'acts'>): readonly string[] {
  if (config === data) return [];
  const old = NAMES.filter((name) => existsSync(join(config, name)) && !existsSync(join(data, name)));
  if (old.length === 0) return [];
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    for (const name of old) move(join(config, name), join(data, name));
    keepAct(acts, {
      at: new Date().toISOString(),
      what: `${old.join(', ')} moved from ${config} to ${data}`,
      terminal: null,
      ancestors: [],
    });
  } catch {
    // A read-only home: the hooks that were trusted wait for trust again, which is the safe side.
    return [];
  }
  return old;
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return; // another process has moved it
    if (code !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
    rmSync(from, { recursive: true, force: true });
  }
}
