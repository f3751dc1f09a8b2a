import { createHash } from 'node:crypto';
import type { TrustEntry } from './entry.ts';
import type { ProjectLink } from './project.ts';

/**
 * The facts that a trust hash covers. A stored record contains them too, so it can be checked against its own
 * name.
 */
export interface BoundFacts {
  readonly entry: string;
  readonly files: readonly { readonly name: string; readonly executable: boolean; readonly sha256: string }[];
  readonly links: readonly ProjectLink[];
  /** Folders that the user bound whole. */
  readonly folders?: readonly string[];
}

const SHAPE = /^sha256:[0-9a-f]{64}$/;
export const isHash = (text: unknown): text is string => typeof text === 'string' && SHAPE.test(text);

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Every part is preceded by its length, so that different lists of parts never produce the same bytes. */
export function trustHash(bound: BoundFacts): string {
  const parts = ['anyhook trust 1', bound.entry, String(bound.files.length)];
  for (const f of sorted(bound.files)) parts.push(f.name, f.executable ? 'x' : '-', f.sha256);
  parts.push(String(bound.links.length));
  for (const l of sorted(bound.links)) parts.push(l.name, l.target);
  const { folders = [] } = bound;
  if (folders.length > 0) parts.push('folders', ...folders.toSorted());
  return `sha256:${sha256(joined(parts))}`;
}

export function joined(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      return [Buffer.from(`${bytes.length}:`), bytes];
    }),
  );
}

const sorted = <T extends { readonly name: string }>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Serialises the entry with sorted keys and all fields. The project's path is replaced by a marker, so that a
 * clone or worktree with the same content has the same hash. The settings file that contains the entry does
 * not matter.
 */
export const canonicalEntry = (entry: TrustEntry, root: string): string =>
  JSON.stringify(canonical({ kind: entry.named.kind, ...entry.fields }, root));

function canonical(value: unknown, root: string): unknown {
  if (typeof value === 'string') return portable(value, root);
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => canonical(item ?? null, root));
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no content to trust`);
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  // A list of pairs, because a `__proto__` key would get lost. Wrapped in an object, because a list of pairs
  // may also be a value.
  return { fields: pairs.map(([key, item]) => [portable(key, root), canonical(item, root)]) };
}

/**
 * The marker contains NUL, which paths and commands cannot contain, so it cannot be forged. Any other NUL is
 * doubled.
 */
function portable(text: string, root: string): string {
  const escaped = text.replaceAll('\0', '\0\0');
  if (root === '' || root === '/' || !escaped.includes(root)) return escaped;
  return escaped
    .split(root)
    .reduce((done, rest) => (/^[\w.-]/.test(rest) ? `${done}${root}${rest}` : `${done}\0project${rest}`));
}
