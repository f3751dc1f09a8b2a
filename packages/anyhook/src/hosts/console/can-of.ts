import { findDialect } from '../../assemble.ts';
import { foldersOf, locationsOf } from '../../assembly/folders.ts';
import { knownAgent } from '../../assembly/strangers.ts';
import { type Capabilities, EVERYTHING } from '../../canon/capabilities.ts';

/** What an agent really does with what hooks ask for: as it was measured, else as its dialect has it, else everything. */
export const canOf = (host: string): Capabilities =>
  knownAgent(host, () => foldersOf(locationsOf({})))?.can ?? findDialect(host)?.can ?? EVERYTHING;
