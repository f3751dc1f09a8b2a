/** Guards of a project that were trusted and are now changed or gone, and the command that accepts their absence. */

import { foldersOf, locationsOf } from '../gather/folders.ts';
import type { ExaminedEntry } from '../gather/gate.ts';
import { shortHash } from '../render/advice.ts';
import {
  readTrustedGuards,
  rootOf,
  trustedGuardsFile,
  type TrustedGuard,
} from '../settings/trusted-guards.ts';

/** Where the trusted guards of this project are recorded. */
export function trustedGuardsPlace(cwd: string | undefined): {
  readonly file: string;
  readonly root: string;
} {
  const locations = locationsOf(cwd === undefined ? {} : { cwd });
  const root = rootOf(locations.cwd);
  return { file: trustedGuardsFile(foldersOf(locations).trustedGuards, root), root };
}

export function missingGuards(
  cwd: string | undefined,
  examined: readonly ExaminedEntry[],
): readonly TrustedGuard[] {
  const trusted = new Set(
    examined.flatMap(({ judgement: { state, hash } }) => (state === 'trusted' ? [hash] : [])),
  );
  return readTrustedGuards(trustedGuardsPlace(cwd).file).filter(({ hash }) => !trusted.has(hash));
}

export const acceptCommand = ({ hash }: TrustedGuard): string => `anyhook trust revoke ${shortHash(hash)}`;
