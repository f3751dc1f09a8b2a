import { isUtf8 } from 'node:buffer';
import { isFields } from '../../events/fields.ts';
import { canonicalEntry, trustHash, isHash, joined, sha256, type BoundFacts } from './hash.ts';
import type { ProjectLink } from './project.ts';
import type { TrustedFiles } from './trusted-files.ts';

/** A record of what was trusted, stored under its hash. The text is used to display later changes. */
export interface TrustRecord extends BoundFacts {
  readonly version: 1;
  readonly hash: string;
  /** The storage key. Differs from `hash` if the trust applies to one project only. */
  readonly key: string;
  /** Finds this record again after its content has changed. */
  readonly identity: string;
  readonly files: readonly RecordedFile[];
  /** Information for users, without effect on decisions. */
  readonly project: string;
  readonly settings: string;
  readonly at: string;
}
export interface RecordedFile {
  readonly name: string;
  readonly executable: boolean;
  readonly sha256: string;
  readonly text?: string;
}

const MAX_TEXT = 64 * 1024;
const MAX_TEXT_IN_ALL = 512 * 1024;

export function recordOf(trustedFiles: TrustedFiles, at: Date): TrustRecord {
  const bound = boundOf(trustedFiles);
  let room = MAX_TEXT_IN_ALL;
  const files = trustedFiles.files.map(({ name, executable, sha256: digest, bytes }): RecordedFile => {
    const isKept = bytes.length <= Math.min(MAX_TEXT, room) && isUtf8(bytes);
    if (isKept) room -= bytes.length;
    return { name, executable, sha256: digest, ...(isKept ? { text: bytes.toString('utf8') } : {}) };
  });
  const hash = trustHash(bound);
  return {
    version: 1,
    hash,
    key: keyOf(hash, trustedFiles),
    identity: identityOf(trustedFiles),
    ...bound,
    files,
    project: trustedFiles.project.root,
    settings: trustedFiles.entry.file,
    at: at.toISOString(),
  };
}

export const boundOf = (trustedFiles: TrustedFiles): BoundFacts => ({
  entry: canonicalEntry(trustedFiles.entry, trustedFiles.project.root),
  files: trustedFiles.files.map(({ name, executable, sha256: digest }) => ({
    name,
    executable,
    sha256: digest,
  })),
  links: trustedFiles.links,
  ...(trustedFiles.asked.length > 0 && { folders: trustedFiles.asked }),
});

/**
 * Something that cannot be determined completely (`npm run lint`) depends on the project around it. Its trust
 * is stored per project, so it does not apply to the next one. Fully known content is trusted everywhere.
 */
export const keyOf = (hash: string, trustedFiles: TrustedFiles): string =>
  trustedFiles.files.length > 0 && trustedFiles.doubts.length === 0
    ? hash
    : `sha256:${sha256(joined(['in one project', hash, trustedFiles.project.root]))}`;

/** Identifies an entry independent of its content and its position in the file. */
export function identityOf({ entry, direct }: TrustedFiles): string {
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

/** Returns the stored record if it is complete and matches its hash. */
export function readTrustRecord(text: string, key: string): TrustRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value.key !== key || value.hash !== trustHash(value)) return undefined;
  const isWhole = value.files.every((f) => f.text === undefined || sha256(f.text) === f.sha256);
  return isWhole ? value : undefined;
}

function isRecord(value: unknown): value is TrustRecord {
  if (!isFields(value) || value['version'] !== 1 || !isHash(value['hash']) || !isHash(value['key']))
    return false;
  const isText = ['entry', 'identity', 'project', 'settings', 'at'].every(
    (name) => typeof value[name] === 'string',
  );
  const { files, links, folders = [] } = value;
  return (
    isText &&
    Array.isArray(folders) &&
    folders.every((name) => typeof name === 'string') &&
    Array.isArray(files) &&
    files.every(isTrustedFile) &&
    Array.isArray(links) &&
    links.every(isLink)
  );
}

const isTrustedFile = (value: unknown): value is RecordedFile =>
  isFields(value) &&
  typeof value['name'] === 'string' &&
  typeof value['executable'] === 'boolean' &&
  typeof value['sha256'] === 'string' &&
  (value['text'] === undefined || typeof value['text'] === 'string');

const isLink = (value: unknown): value is ProjectLink =>
  isFields(value) && typeof value['name'] === 'string' && typeof value['target'] === 'string';
