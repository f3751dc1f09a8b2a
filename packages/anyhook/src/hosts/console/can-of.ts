import { DIALECTS } from '../../assemble.ts';
import { type Capabilities, EVERYTHING } from '../../canon/capabilities.ts';
import { sheetOf } from '../../agents/capabilities.ts';

/** What an agent really does with what hooks ask for: as it was measured, else as its dialect has it, else everything. */
export const canOf = (host: string): Capabilities =>
  sheetOf(host)?.can ?? DIALECTS.find(({ name }) => name === host)?.can ?? EVERYTHING;
