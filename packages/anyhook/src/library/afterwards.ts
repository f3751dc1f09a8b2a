/** Finishes a background hook after its program has exited. The helper process then runs `late-ending.ts`. */

import type { LateStart } from '../engine/parts.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { Folders } from '../gather/folders.ts';
import type { HostOptions, JournalOptions, Options } from '../gather/options.ts';
import type { KnownOrigin } from '../journal/index.ts';
import { ownProgramFile } from '../own-files.mjs';
import type { Afterwards } from '../runners/command/job.ts';

const PROGRAM = ownProgramFile('library/late-ending');

/** Everything needed to read the hook's answer as the program would have read it, as plain values. */
export interface LateTask {
  readonly hook: Hook;
  readonly start: LateStart;
  readonly journal: JournalOptions | false;
  readonly folders: Folders;
  readonly host: Pick<HostOptions, 'name' | 'version'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly origin: KnownOrigin;
  readonly sessionStore: NonNullable<Options['sessionStore']>;
}
type Standing = Pick<LateTask, 'journal' | 'folders' | 'env' | 'origin' | 'sessionStore'> & {
  readonly host: HostOptions;
};

export function makeAfterwards({ journal, folders, env, host, origin, sessionStore }: Standing) {
  return (hook: Hook, { key, event }: LateStart): Afterwards | undefined => {
    const { when: _, match: __, ...plain } = hook;
    const { raw: ___, ...told } = event;
    const task: LateTask = {
      hook: { ...plain, match: { kind: 'any' } },
      start: { key, event: told as Event },
      journal,
      folders,
      host: { name: host.name, ...(host.version !== undefined && { version: host.version }) },
      env,
      origin,
      sessionStore,
    };
    return isPlainJson(task) ? { program: PROGRAM, input: task } : undefined;
  };
}

/** A payload that JSON cannot represent cannot be sent to the helper process. */
function isPlainJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
