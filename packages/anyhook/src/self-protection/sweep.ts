/** Commands that take along everything below a folder: said by the folder, for a person who has never heard of us. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ShellWord } from '../shell/word.ts';
import { type Objection, sweep } from './objection.ts';
import type { PathSight, Terms } from './sight.ts';

const DELETES = 'would delete';
const ACTS: Readonly<Record<string, string>> = {
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

/** Nothing where nothing guarded is there to go along; what is mounted brings something in its place. */
export function sweepOf(
  name: string,
  word: ShellWord,
  sight: PathSight,
  terms: Terms,
): Objection | undefined {
  const places = sight
    .spelled(word)
    .flatMap((said) => sight.folders.map((folder) => resolve(folder, said.replace(/(?<=\/)[*?.]+$/, ''))));
  const along = terms.guarded.below(...places).find((path) => name === 'mount' || existsSync(path));
  if (along === undefined) return undefined;
  const whole = Object.entries(wholes(terms)).find(([, place]) => places.includes(place))?.[0];
  return sweep(`${ACTS[name] ?? 'would change'} ${whole ?? `everything in ${word.text}`}`, along);
}

const wholes = ({ cwd, home }: Terms): Readonly<Record<string, string>> => ({
  'the whole file system': '/',
  'the whole home folder': home,
  'the whole working folder': cwd,
});
