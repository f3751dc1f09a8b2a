import { agentOf } from '../../agents/index.ts';
import { findDialect } from '../../assemble.ts';
import { type Capabilities, EVERYTHING } from '../../canon/capabilities.ts';

/** What an agent really does with what hooks ask for: as it was measured, else as its dialect has it, else everything. */
export const canOf = (host: string): Capabilities =>
  agentOf(host)?.can ?? findDialect(host)?.can ?? EVERYTHING;
