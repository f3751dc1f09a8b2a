import { findDialect } from '../dialects.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgent } from '../gather/strangers.ts';
import { type Capabilities, EVERYTHING } from '../events/capabilities.ts';

/** What an agent really does with what hooks ask for: as it was measured, else as its dialect has it, else everything. */
export const canOf = (host: string): Capabilities =>
  knownAgent(host, () => foldersOf(locationsOf({})))?.can ?? findDialect(host)?.can ?? EVERYTHING;
