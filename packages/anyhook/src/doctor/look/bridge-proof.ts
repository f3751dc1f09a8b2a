/** Whether it is known that the installed version of an agent calls our bridge. */

import { realpathSync, statSync } from 'node:fs';
import type { Sighting } from '../../agents/shared/agent.ts';
import type { BridgeCall } from '../../gather/bridge-calls.ts';
import type { FoundAgent } from './find-agents.ts';

/** Also true if no version was tested. */
export const isNewerThanSeen = (version: string, seen: readonly Sighting[]): boolean =>
  seen.every((sighting) => version.localeCompare(sighting.version, 'en', { numeric: true }) > 0);

/** The installed version named itself in a call, or there was a call of unknown version after it was installed. */
export function hasCalled({ file, version }: FoundAgent, calls: readonly BridgeCall[]): boolean {
  const installedMs = installedAt(file);
  return calls.some((call) =>
    call.version === undefined ? call.atMs >= installedMs : call.version === version,
  );
}

/** An update writes the file of the program anew. Unlike the modification time, this time is not taken from a package. */
function installedAt(file: string): number {
  try {
    return statSync(realpathSync(file)).ctimeMs;
  } catch {
    return Infinity; // removed meanwhile
  }
}
