/** What the last look at a project found, kept for the next process. Without it, every file is read again. */

import { rmSync } from 'node:fs';
import { readOwn, writeOwn } from '../settings/own-file.ts';
import type { KnownFolder } from './scan.ts';

export interface KnownFolders {
  readonly folders: Map<string, KnownFolder>;
  readonly bulkyLeft: Set<string>;
}
export const nothingKnown = (): KnownFolders => ({ folders: new Map(), bulkyLeft: new Set() });

/** `generation` changes whenever objects are removed. What was known before may name objects that are gone. */
export function readKnown(file: string, generation: string): KnownFolders {
  const bytes = readOwn(file);
  if (bytes === undefined) return nothingKnown();
  try {
    const kept = JSON.parse(bytes.toString('utf8')) as Kept; // written by `writeKnown`
    if (kept.version !== VERSION || kept.generation !== generation) return nothingKnown();
    return {
      folders: new Map(
        kept.folders.map(([path, { entries, stamps, ...folder }]) => [
          path,
          { ...folder, entries: new Map(entries), stamps: new Map(stamps) },
        ]),
      ),
      bulkyLeft: new Set(kept.bulkyLeft),
    };
  } catch {
    return nothingKnown();
  }
}

export function writeKnown(file: string, generation: string, { folders, bulkyLeft }: KnownFolders): void {
  const kept: Kept = {
    version: VERSION,
    generation,
    folders: [...folders].map(([path, { entries, stamps, ...folder }]) => [
      path,
      { ...folder, entries: [...entries], stamps: [...stamps] },
    ]),
    bulkyLeft: [...bulkyLeft],
  };
  writeOwn(file, JSON.stringify(kept));
}
export const removeKnown = (file: string): void => rmSync(file, { force: true });

const VERSION = 1;
type KeptMap<M> = M extends Map<infer K, infer V> ? readonly (readonly [K, V])[] : never;
interface Kept {
  readonly version: number;
  readonly generation: string;
  readonly folders: readonly (readonly [
    string,
    Pick<KnownFolder, 'tree' | 'mode' | 'stamp'> & {
      readonly entries: KeptMap<KnownFolder['entries']>;
      readonly stamps: KeptMap<KnownFolder['stamps']>;
    },
  ])[];
  readonly bulkyLeft: readonly string[];
}
