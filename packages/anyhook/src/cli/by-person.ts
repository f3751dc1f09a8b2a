import { UsageError } from '../console/usage.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { circumstances, startedByAgent, whyNoPerson } from '../gather/person.ts';
import { checkWritable } from '../install/write-target.ts';
import { keepAct } from '../settings/acts.ts';

/** Decisions about guards are for a user, as far as that can be detected. */
export function checkPerson(command: string, env: Readonly<Record<string, string | undefined>>): void {
  const why = whyNoPerson(env);
  if (why !== undefined)
    throw new UsageError(`${command}: ${why}; run it yourself in an interactive terminal`, 'user-only');
}

/** What root's own tools may do without a terminal, and an agent may not. */
export function checkNoAgent(command: string, env: Readonly<Record<string, string | undefined>>): void {
  const why = startedByAgent(env);
  if (why !== undefined)
    throw new UsageError(`${command}: ${why}; only a user or root's own tools may run it`, 'user-only');
}

const actsFile = (): string => foldersOf(locationsOf({})).acts;

/** Records the change, which every session reports. Throws if it cannot be recorded, so that no change goes unnoticed. */
export function announce(what: string): void {
  keepAct(actsFile(), { at: new Date().toISOString(), what, ...circumstances() });
}
/** The same check, before anything is done. */
export const checkAnnounceable = (): void => checkWritable({ file: actsFile(), path: actsFile() });
