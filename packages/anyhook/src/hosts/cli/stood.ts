/** Guards that stood in this project and do not any more: what the person is shown of them, and how they let go. */
import type { ExaminedEntry } from '../../assembly/gate.ts';
import { foldersOf, locationsOf } from '../../assembly/folders.ts';
import { settleStood } from '../../assembly/standing.ts';
import { readStood, rootOf, stoodFile, type StoodGuard } from '../../settings/stood.ts';
import { brief } from '../../views/safe.ts';
import { type Screen, shortPath } from '../../views/screen.ts';

function place(cwd: string | undefined): { readonly file: string; readonly root: string } {
  const locations = locationsOf(cwd === undefined ? {} : { cwd });
  const root = rootOf(locations.cwd);
  return { file: stoodFile(foldersOf(locations).stood, root), root };
}

export function missedIn(cwd: string | undefined, examined: readonly ExaminedEntry[]): readonly StoodGuard[] {
  const trusted = new Set(
    examined.flatMap(({ judgement: { state, hash } }) => (state === 'trusted' ? [hash] : [])),
  );
  return readStood(place(cwd).file).filter(({ hash }) => !trusted.has(hash));
}

/** True: it was kept until now. */
export function letGo(cwd: string | undefined, hash: string): boolean {
  const { file, root } = place(cwd);
  return settleStood(file, root, { hash });
}

export const missedLines = (missed: readonly StoodGuard[], screen: Screen): string[] =>
  missed.flatMap(({ label, file, hash, on }) => [
    `  ${brief(`${shortPath(file, screen)} · ${on} · ${label}`, screen.width - 2)}`,
    `      ${hash}`,
  ]);
