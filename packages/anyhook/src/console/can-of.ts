import { findDialect } from '../dialects.ts';
import { type Capabilities, EVERYTHING } from '../events/capabilities.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgent } from '../gather/known-agents.ts';

/** Capabilities of an agent: as measured, else by its dialect, else everything. */
export const canOf = (host: string): Capabilities =>
  knownAgent(host, () => foldersOf(locationsOf({})))?.can ?? findDialect(host)?.can ?? EVERYTHING;
