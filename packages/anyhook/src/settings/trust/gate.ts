import { isUtf8 } from 'node:buffer';
import { isInside, physical } from '../inside.ts';
import { diffOf } from './diff.ts';
import type { TrustEntry } from './entry.ts';
import { trustedFilesOf } from './gathering.ts';
import { trustHash, isHash, sha256 } from './hash.ts';
import { type Project } from './project.ts';
import { boundOf, identityOf, keyOf, type TrustRecord } from './record.ts';
import type { TrustStore } from './store.ts';
import type { TrustedFiles, TrustedFilesOptions } from './trusted-files.ts';
import { visible } from './visible.ts';

export interface TrustJudgement {
  /**
   * `modified`: the same entry was trusted with other content. `untrustable`: not even the user can trust it,
   * see `trustedFiles.obstacles`.
   */
  readonly state: 'trusted' | 'modified' | 'unknown' | 'untrustable';
  readonly hash: string;
  readonly trustedFiles: TrustedFiles;
  /** True if the user can be asked. Without a terminal, only the store or a named hash can grant trust. */
  readonly mayAsk: boolean;
  /** Difference between what was trusted and what is there. */
  readonly diff?: string;
}

export interface GateOptions extends TrustedFilesOptions {
  /** Full hashes that the user named for this run. */
  readonly hashes?: readonly string[];
  readonly isTerminal: boolean;
}

/**
 * Reads the entry's content and returns whether the user trusts exactly that. Runs and writes nothing. A
 * folder that was bound with the entry counts until the entry is trusted without it.
 */
export function judgeTrust(
  entry: TrustEntry,
  project: Project,
  store: TrustStore,
  options: GateOptions,
): TrustJudgement {
  const plain = judgeBound(entry, project, store, options);
  if (plain.state === 'trusted' || plain.state === 'untrustable' || options.folders !== undefined)
    return plain;
  const folders = store.previous(identityOf(plain.trustedFiles), '')?.folders;
  return folders === undefined ? plain : judgeBound(entry, project, store, { ...options, folders });
}

function judgeBound(
  entry: TrustEntry,
  project: Project,
  store: TrustStore,
  options: GateOptions,
): TrustJudgement {
  const trustedFiles = withStoreChecked(trustedFilesOf(entry, project, options), store);
  const bound = boundOf(trustedFiles);
  const hash = trustHash(bound);
  const judged = { hash, trustedFiles, mayAsk: options.isTerminal && trustedFiles.obstacles.length === 0 };
  if (trustedFiles.obstacles.length > 0) return { ...judged, state: 'untrustable' };
  const isNamed = options.hashes?.some((h) => isHash(h) && h === hash) ?? false;
  if (isNamed || store.has(keyOf(hash, trustedFiles))) return { ...judged, state: 'trusted' };
  const before = store.previous(identityOf(trustedFiles), bound.entry);
  return before === undefined
    ? { ...judged, state: 'unknown' }
    : { ...judged, state: 'modified', diff: diffSince(before, trustedFiles, bound.entry) };
}

/** A trust store inside the project could come from the project, so it grants no trust. */
function withStoreChecked(trustedFiles: TrustedFiles, store: TrustStore): TrustedFiles {
  if (store.folder === undefined || !isInside(trustedFiles.project.root, physical(store.folder)))
    return trustedFiles;
  const obstacle = `the trust store ${store.folder} is inside the project`;
  return { ...trustedFiles, obstacles: [...trustedFiles.obstacles, obstacle] };
}

function diffSince(before: TrustRecord, trustedFiles: TrustedFiles, entry: string): string {
  const old = new Map(before.files.map((f) => [f.name, f]));
  const now = new Map(trustedFiles.files.map((f) => [f.name, f]));
  const parts = [diffOf('the entry', fieldLines(before.entry), fieldLines(entry))];
  for (const name of [...new Set([...old.keys(), ...now.keys()])].toSorted()) {
    const [a, b] = [old.get(name), now.get(name)];
    if (a?.executable !== b?.executable && a && b)
      parts.push(`${visible(name)} is ${b.executable ? 'now' : 'no longer'} executable`);
    if (a?.sha256 === b?.sha256) continue;
    const isShown = (a === undefined || a.text !== undefined) && (b === undefined || isUtf8(b.bytes));
    const text = diffOf(name, a?.text ?? '', b === undefined ? '' : b.bytes.toString('utf8'));
    parts.push(
      isShown && text !== ''
        ? text
        : `${visible(name)}: ${a?.sha256 ?? 'absent'} → ${b?.sha256 ?? 'removed'}`,
    );
  }
  const links = (list: TrustedFiles['links']) => list.map((l) => `${l.name} → ${l.target}\n`).join('');
  parts.push(diffOf('links', links(before.links), links(trustedFiles.links)));
  return parts.filter((part) => part !== '').join('\n');
}

/** Formats the entry with one field per line, so that a diff shows which one changed. */
export function fieldLines(entry: string): string {
  try {
    const { fields } = JSON.parse(entry) as { fields: readonly (readonly [string, unknown])[] };
    return fields.map(([key, value]) => `${key}: ${JSON.stringify(plain(value))}\n`).join('');
  } catch {
    return `${sha256(entry)}\n`;
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/\0(\0|project)/g, (_, mark: string) => (mark === '\0' ? '\0' : '<project>'));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const { fields, number } = value as { fields?: readonly (readonly [string, unknown])[]; number?: string };
  return fields === undefined ? number : Object.fromEntries(fields.map(([key, item]) => [key, plain(item)]));
}
