import { isUtf8 } from 'node:buffer';
import { coverOf, type Cover, type CoverOptions } from './cover.ts';
import { diffOf } from './diff.ts';
import type { Entry } from './entry.ts';
import { hashOf, isHash, sha256 } from './hash.ts';
import { isInside, physical } from '../inside.ts';
import { type Project } from './project.ts';
import { boundOf, identityOf, keyOf, type TrustRecord } from './record.ts';
import type { TrustStore } from './store.ts';
import { visible } from './visible.ts';

export interface Judgement {
  /** `modified`: the same entry was trusted with other content; `untrustable`: not even by a person, see `cover`. */
  readonly state: 'trusted' | 'modified' | 'unknown' | 'untrustable';
  readonly hash: string;
  readonly cover: Cover;
  /** Somebody can be asked. Without a terminal only the store, or a hash that was named, can say yes. */
  readonly mayAsk: boolean;
  /** What was trusted before, against what is there. */
  readonly diff?: string;
}

export interface TrustOptions extends CoverOptions {
  /** Named by the person for this run, in full. */
  readonly hashes?: readonly string[];
  readonly isTerminal: boolean;
}

/** Reads the entry's content once and says whether the person trusts exactly that. Runs nothing, writes nothing. */
export function judgeTrust(
  entry: Entry,
  project: Project,
  store: TrustStore,
  options: TrustOptions,
): Judgement {
  const cover = withStoreChecked(coverOf(entry, project, options), store);
  const bound = boundOf(cover);
  const hash = hashOf(bound);
  const judged = { hash, cover, mayAsk: options.isTerminal && cover.obstacles.length === 0 };
  if (cover.obstacles.length > 0) return { ...judged, state: 'untrustable' };
  const isNamed = options.hashes?.some((h) => isHash(h) && h === hash) ?? false;
  if (isNamed || store.has(keyOf(hash, cover))) return { ...judged, state: 'trusted' };
  const before = store.previous(identityOf(cover), bound.entry);
  return before === undefined
    ? { ...judged, state: 'unknown' }
    : { ...judged, state: 'modified', diff: diffSince(before, cover, bound.entry) };
}

/** A project that holds the store could bring its own trust along. */
function withStoreChecked(cover: Cover, store: TrustStore): Cover {
  if (store.folder === undefined || !isInside(cover.project.root, physical(store.folder))) return cover;
  const obstacle = `the trust store ${store.folder} lies inside the project`;
  return { ...cover, obstacles: [...cover.obstacles, obstacle] };
}

function diffSince(before: TrustRecord, cover: Cover, entry: string): string {
  const old = new Map(before.files.map((f) => [f.name, f]));
  const now = new Map(cover.files.map((f) => [f.name, f]));
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
        : `${visible(name)}: ${a?.sha256 ?? 'not there'} → ${b?.sha256 ?? 'gone'}`,
    );
  }
  const links = (list: Cover['links']) => list.map((l) => `${l.name} → ${l.target}\n`).join('');
  parts.push(diffOf('links', links(before.links), links(cover.links)));
  return parts.filter((part) => part !== '').join('\n');
}

/** The entry one field a line, so that a diff shows which changed. */
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
