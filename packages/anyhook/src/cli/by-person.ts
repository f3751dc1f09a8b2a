import { circumstances, startedByAgent, whyNoPerson } from '../gather/person.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { keepAct } from '../settings/acts.ts';
import { UsageError } from '../console/usage.ts';
import { checkWritable } from '../install/write-target.ts';

/** What decides over guards is for a person, as far as that can be told. */
export function checkPerson(command: string, env: Readonly<Record<string, string | undefined>>): void {
  const why = whyNoPerson(env);
  if (why !== undefined)
    throw new UsageError(`${command}: ${why}; only a person may, in a terminal of their own`);
}

/** What root's own tools may do without a terminal, and no agent may. */
export function checkNoAgent(command: string, env: Readonly<Record<string, string | undefined>>): void {
  const why = startedByAgent(env);
  if (why !== undefined) throw new UsageError(`${command}: ${why}; only a person may, or root's own tools`);
}

const actsFile = (): string => foldersOf(locationsOf({})).acts;

/** Kept, and announced in every session. What cannot be kept must not happen unseen: it throws. */
export function announce(what: string): void {
  keepAct(actsFile(), { at: new Date().toISOString(), what, ...circumstances() });
}
/** The same, before anything is done: in a sentence. */
export const checkAnnounceable = (): void => checkWritable({ file: actsFile(), path: actsFile() });
