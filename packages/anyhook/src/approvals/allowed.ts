/** Questions that the user has answered for good with `approvals.allow` in their own settings. */

import { isAbsolute, relative } from 'node:path';
import type { AllowedCommand } from '../events/approval-settings.ts';
import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';
import { plainCommand } from '../shell/plain-command.ts';

/** Compares whole commands word by word, so that nothing can be appended to an allowed one. */
export function isAllowed(
  allow: readonly AllowedCommand[],
  { tool, input }: Fields,
  folder: string,
): boolean {
  if (allow.length === 0 || tool !== 'shell' || !isFields(input)) return false;
  const { command, ...more } = input;
  // Other arguments, such as a working folder, could change what the command does.
  if (typeof command !== 'string' || Object.keys(more).some((key) => !HARMLESS.has(key))) return false;
  const exact = plainCommand(command)?.exact;
  return (
    exact !== undefined &&
    allow.some(
      (entry) =>
        plainCommand(entry.command)?.exact === exact &&
        (entry.project === undefined || isIn(folder, entry.project)),
    )
  );
}

const HARMLESS: ReadonlySet<string> = new Set(['description', 'timeout', 'timeoutMs']);

function isIn(folder: string, project: string): boolean {
  const path = relative(project, folder);
  return isAbsolute(folder) && (path === '' || (!path.startsWith('..') && !isAbsolute(path)));
}
