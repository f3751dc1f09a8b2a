/** Binds guards to the files they consist of. Loaded only if there is a guard, because it needs the shell parser. */

import { madeOfHook, madeOfModule, type MadeOf } from '../self-protection/made-of/made-of.ts';
import { bindFiles } from '../settings/bound-files.ts';
import { type Guard, guardsOf, type GuardSources, type Strengths } from './strength.ts';

/** Reads the disk, except for `known` guards with the same entry. */
export const bindGuards = (sources: GuardSources, known: Strengths = {}): Strengths =>
  Object.fromEntries(
    guardsOf(sources).map((guard) => {
      const { id, label, entry, isProjects } = guard;
      if (known[id]?.entry === entry) return [id, known[id]];
      const { files, absent, programs } = madeOf(guard, sources.locations);
      return [id, { label, entry, isProjects, files: bindFiles(files, absent), programs }];
    }),
  );

function madeOf({ hook, isBound, entry }: Guard, locations: GuardSources['locations']): MadeOf {
  if (!isBound) return { files: [], absent: [], programs: {} };
  return hook === null ? madeOfModule(entry, locations) : madeOfHook(hook, locations);
}
