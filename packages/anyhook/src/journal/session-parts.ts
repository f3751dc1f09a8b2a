/**
 * A session that writes much has several files: `s.jsonl`, `s~~2.jsonl`, and so on. None is renamed, so nobody writes to a
 * file under another name; each writer's chain goes on from one part to the next.
 */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Of one part; a line is written whole, so a part is a little longer. */
export const PART_BYTES = 64 * 1024 * 1024;

const PART = /^(.*?)(?:~~(\d+))?\.jsonl$/;

/** The first part of the session that a part belongs to; a file by another kind of name is its own. */
export function firstPartOf(file: string): string {
  const stem = PART.exec(basename(file))?.[1];
  return stem === undefined ? file : join(dirname(file), `${stem}.jsonl`);
}
export const isLaterPart = (name: string): boolean => PART.exec(name)?.[2] !== undefined;
export const nextPartOf = (file: string): string => {
  const number = Number(PART.exec(basename(file))?.[2] ?? 1);
  return firstPartOf(file).replace(/\.jsonl$/, `~~${number + 1}.jsonl`);
};

/** As they follow each other from the first. Lists no folder: it may hold years of sessions. */
export function sessionParts(file: string): string[] {
  const parts: string[] = [];
  for (let part = firstPartOf(file); existsSync(part) && !parts.includes(part); part = nextPartOf(part))
    parts.push(part);
  return parts;
}

/** Also those before which one is missing: for who looks whether one is. */
export function allSessionParts(file: string): string[] {
  const first = firstPartOf(file);
  if (!existsSync(dirname(first)) || !first.endsWith('.jsonl')) return sessionParts(first);
  const numberOf = (name: string) => Number(PART.exec(name)?.[2] ?? 1);
  return readdirSync(dirname(first))
    .filter((name) => PART.exec(name)?.[1] === basename(first, '.jsonl'))
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .map((name) => join(dirname(first), name));
}

/** Why nothing is written into this folder: who else can write there, or move it, could write what we did not. */
export function obstacleIn(folder: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) return `${folder} is a link: name the folder that it leads to`;
  if (!stats.isDirectory()) return `${folder} is no folder`;
  if ((stats.mode & 0o022) !== 0) return `others can write to ${folder}: chmod go-w ${folder}`;
  const uid = process.getuid?.();
  return stats.uid === uid || stats.uid === 0 ? undefined : `${folder} belongs to somebody else`;
}
