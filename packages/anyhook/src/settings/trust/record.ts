import { isUtf8 } from 'node:buffer';
import { isFields } from '../../canon/fields.ts';
import type { Cover } from './cover.ts';
import { canonicalEntry, hashOf, isHash, joined, sha256, type Bound } from './hash.ts';
import type { Link } from './project.ts';

/** What was trusted, kept under its hash; the text is for showing a later change. */
export interface TrustRecord extends Bound {
  readonly version: 1;
  readonly hash: string;
  /** What the record is filed under; differs from `hash` for what holds in one project only. */
  readonly key: string;
  /** Finds this record again when its content has changed. */
  readonly identity: string;
  readonly files: readonly TrustedFile[];
  /** Remarks for people; they decide nothing. */
  readonly project: string;
  readonly settings: string;
  readonly at: string;
}
export interface TrustedFile {
  readonly name: string;
  readonly executable: boolean;
  readonly sha256: string;
  readonly text?: string;
}

const MAX_TEXT = 64 * 1024;
const MAX_TEXT_IN_ALL = 512 * 1024;

export function recordOf(cover: Cover, at: Date): TrustRecord {
  const bound = boundOf(cover);
  let room = MAX_TEXT_IN_ALL;
  const files = cover.files.map(({ name, executable, sha256: digest, bytes }): TrustedFile => {
    const isKept = bytes.length <= Math.min(MAX_TEXT, room) && isUtf8(bytes);
    if (isKept) room -= bytes.length;
    return { name, executable, sha256: digest, ...(isKept ? { text: bytes.toString('utf8') } : {}) };
  });
  const hash = hashOf(bound);
  return {
    version: 1,
    hash,
    key: keyOf(hash, cover),
    identity: identityOf(cover),
    ...bound,
    files,
    project: cover.project.root,
    settings: cover.entry.file,
    at: at.toISOString(),
  };
}

export const boundOf = (cover: Cover): Bound => ({
  entry: canonicalEntry(cover.entry, cover.project.root),
  files: cover.files.map(({ name, executable, sha256: digest }) => ({ name, executable, sha256: digest })),
  links: cover.links,
});

/**
 * A command that names no file (`npm run lint`) means whatever the project around it says, so trusting it in one
 * project says nothing about the next: it is filed under the project too. Content that is all there travels freely.
 */
export const keyOf = (hash: string, cover: Cover): string =>
  cover.files.length > 0 ? hash : `sha256:${sha256(joined(['in one project', hash, cover.project.root]))}`;

/** Which entry this is, whatever became of its content and wherever in its file it stands now. */
export function identityOf({ entry, direct }: Cover): string {
  const { named, fields, file } = entry;
  const program =
    named.kind === 'command'
      ? 'line' in named.run
        ? named.run.line.trim().split(/\s/, 1)[0]
        : named.run.argv[0]
      : named.kind;
  const about = direct.length > 0 ? direct : [program ?? ''];
  return sha256(joined([file, String(fields['dialect']), String(fields['on']), ...about]));
}

/** The record a stored text holds, if it is whole and is what its hash says. */
export function readRecord(text: string, key: string): TrustRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value.key !== key || value.hash !== hashOf(value)) return undefined;
  const isWhole = value.files.every((f) => f.text === undefined || sha256(f.text) === f.sha256);
  return isWhole ? value : undefined;
}

function isRecord(value: unknown): value is TrustRecord {
  if (!isFields(value) || value['version'] !== 1 || !isHash(value['hash']) || !isHash(value['key']))
    return false;
  const isText = ['entry', 'identity', 'project', 'settings', 'at'].every(
    (name) => typeof value[name] === 'string',
  );
  const { files, links } = value;
  return (
    isText &&
    Array.isArray(files) &&
    files.every(isTrustedFile) &&
    Array.isArray(links) &&
    links.every(isLink)
  );
}

const isTrustedFile = (value: unknown): value is TrustedFile =>
  isFields(value) &&
  typeof value['name'] === 'string' &&
  typeof value['executable'] === 'boolean' &&
  typeof value['sha256'] === 'string' &&
  (value['text'] === undefined || typeof value['text'] === 'string');

const isLink = (value: unknown): value is Link =>
  isFields(value) && typeof value['name'] === 'string' && typeof value['target'] === 'string';
