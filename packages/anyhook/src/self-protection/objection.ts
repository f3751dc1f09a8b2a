/** Why self-protection objects to a call. */

import { existsSync } from 'node:fs';
import type { ShellWord } from '../shell/word.ts';
import type { GuardedCall, PathResolver } from './path-resolver.ts';

/** `refused`: the call would change a guarded path. `doubtful`: it may, and that is known only at run time. */
export interface Objection {
  readonly kind: 'refused' | 'doubtful';
  readonly reason: string;
}

const FOR_A_PERSON = 'hooks, their settings, trust and journal are for a person to change, not for the agent';

export const refusal = (what: string): Objection => ({
  kind: 'refused',
  reason: `${FOR_A_PERSON}: ${what}`,
});
export const doubt = (what: string): Objection => ({
  kind: 'doubtful',
  reason: `${FOR_A_PERSON}, and this may: ${what}`,
});

const DELETES = 'would delete';
const EFFECTS: Readonly<Record<string, string>> = {
  rm: DELETES,
  rmdir: DELETES,
  shred: DELETES,
  trash: DELETES,
  'trash-put': DELETES,
  find: 'would delete or change',
  mv: 'would move away',
  rename: 'would rename',
  mount: 'would cover',
  umount: 'would take away',
};

/**
 * Refuses a command that changes everything below a folder. The message names the folder, because users who have never
 * heard of anyhook see it. Returns undefined if nothing guarded exists there; `mount` hides the path even then.
 */
export function sweepObjection(
  program: string,
  word: ShellWord,
  resolver: PathResolver,
  { guarded, cwd, home }: GuardedCall,
): Objection | undefined {
  const places = resolver
    .spellings(word)
    .flatMap((path) => resolver.placesOf(path.replace(/(?<=\/)[*?.]+$/, '')));
  const along = guarded.below(...places).find((path) => program === 'mount' || existsSync(path));
  if (along === undefined) return undefined;
  const whole = (
    [
      ['the whole file system', '/'],
      ['the whole home folder', home],
      ['the whole working folder', cwd],
    ] as const
  ).find(([, folder]) => places.includes(folder))?.[0];
  const what = `${EFFECTS[program] ?? 'would change'} ${whole ?? `everything in ${word.text}`}`;
  return { kind: 'refused', reason: `it ${what}, and with it ${along}: ${FOR_A_PERSON}` };
}
