/** What the suite has seen, package by package: a file that is committed, and from which docs/wild.md is generated. */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { keyOf, WILD } from './packages.ts';

export interface WildResult {
  readonly package: string;
  readonly version: string;
  readonly date: string;
  readonly node: string;
  /** What our loaders ran on. */
  readonly on: 'Node' | 'Node 22' | 'Bun';
  /** With whom it was compared; null: it did not run at home here. */
  readonly oracle: string | null;
  /** How many of each kind. */
  readonly registers: Readonly<Record<string, number>>;
  readonly asAtHome: boolean;
  readonly answers: { readonly same: number; readonly of: number };
  readonly fire?: string;
  readonly agent?: string;
  /** To load it: by us, where it is at home, by a plain import. */
  readonly ms: { readonly ours: number; readonly home?: number; readonly native?: number };
  readonly problem: string | null;
  readonly lacks: string | null;
}

const FILE = fileURLToPath(new URL('results.json', import.meta.url));

export const readResults = (): readonly WildResult[] =>
  JSON.parse(readFileSync(FILE, 'utf8')) as readonly WildResult[];

/** One package's result in the place of its last one; what is no longer in the suite goes. */
export function writeResult(result: WildResult): void {
  const known = new Map(readResults().map((one) => [one.package, one]));
  known.set(result.package, result);
  const all = WILD.flatMap((wild) => known.get(keyOf(wild)) ?? []);
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
}
