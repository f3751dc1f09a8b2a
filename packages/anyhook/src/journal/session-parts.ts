/**
 * A large session has several files: `s.jsonl`, `s~~2.jsonl`, and so on. Files are never renamed, so that no
 * writer loses its file. Each writer's chain continues across parts.
 */

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Size limit of a part. Lines are never split, so a part may be slightly larger. */
export const PART_BYTES = 64 * 1024 * 1024;

const PART = /^(.*?)(?:~~(\d+))?\.jsonl$/;

/**
 * Returns the first part of a session, given any part. A file with another kind of name is its own first
 * part.
 */
export function firstPartOf(file: string): string {
  const stem = PART.exec(basename(file))?.[1];
  return stem === undefined ? file : join(dirname(file), `${stem}.jsonl`);
}
export const isLaterPart = (name: string): boolean => PART.exec(name)?.[2] !== undefined;
export const nextPartOf = (file: string): string => {
  const number = Number(PART.exec(basename(file))?.[2] ?? 1);
  return firstPartOf(file).replace(/\.jsonl$/, `~~${number + 1}.jsonl`);
};

/** Returns the parts in order. Does not list the folder, which may contain years of sessions. */
export function sessionParts(file: string): string[] {
  const parts: string[] = [];
  for (let part = firstPartOf(file); existsSync(part) && !parts.includes(part); part = nextPartOf(part))
    parts.push(part);
  return parts;
}

/** Returns all parts, including those after a missing one. */
export function allSessionParts(file: string): string[] {
  const first = firstPartOf(file);
  if (!existsSync(dirname(first)) || !first.endsWith('.jsonl')) return sessionParts(first);
  const numberOf = (name: string) => Number(PART.exec(name)?.[2] ?? 1);
  return readdirSync(dirname(first))
    .filter((name) => PART.exec(name)?.[1] === basename(first, '.jsonl'))
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .map((name) => join(dirname(first), name));
}

/**
 * Returns why a folder is unsafe to write to: anyone else who can write to it or replace it could forge
 * records.
 */
export function obstacleIn(folder: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) return `${folder} is a link: use the path of the folder it points to`;
  if (!stats.isDirectory()) return `${folder} is not a folder`;
  if ((stats.mode & 0o022) !== 0) return `other users can write to ${folder}: chmod go-w ${folder}`;
  const uid = process.getuid?.();
  return stats.uid === uid || stats.uid === 0 ? undefined : `${folder} belongs to another user`;
}
