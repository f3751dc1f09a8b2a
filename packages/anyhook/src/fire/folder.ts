import { resolve } from 'node:path';
import { workingFolder } from '../settings/working-folder.ts';

/** What `--project` says, then the event, then where we are. The agent's own variable may still say otherwise. */
export function folderOf(said: string | undefined, cwd: unknown, here = workingFolder): string {
  if (said !== undefined) return resolve(here(), said);
  return typeof cwd === 'string' && cwd !== '' ? resolve(here(), cwd) : here();
}
