/** Stores the results per agent for the tables in docs/compatibility.md (`npm run generate`). */

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { canSeal } from './sealed.ts';

/** One file per agent, so that parallel runs do not conflict. */
export function keepResults(part: string, seen: ReadonlyMap<AgentName, object>): void {
  const folder = fileURLToPath(new URL(`results/${part}/`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const [agent, result] of seen) {
    const kept = {
      version: AGENTS[agent].seen[0]!.version,
      on: new Date().toISOString().slice(0, 10),
      network: canSeal ? 'sealed' : 'proxied',
      result,
    };
    writeFileSync(`${folder}${agent}.json`, `${JSON.stringify(kept, null, 2)}\n`);
  }
}
