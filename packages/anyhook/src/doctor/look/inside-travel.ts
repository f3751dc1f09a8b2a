/** Measures what an event costs in agents that load our module, with a hook that does nothing and its record. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../agents/shared/agent.ts';
import { defineHook } from '../../events/define.ts';
import { createHooks } from '../../library/create-hooks.ts';
import { removeTree } from '../../settings/remove-tree.ts';
import type { EventTravel } from './travel.ts';

/** The first events run in a cold process; agents run for hours. */
const [FIRST, COUNTED] = [20, 21];

export async function insideTravel({ name, can }: Pick<Agent, 'name' | 'can'>): Promise<EventTravel> {
  const home = mkdtempSync(join(tmpdir(), 'anyhook-doctor-'));
  const silent = defineHook({ on: 'tool.before', name: 'silent', run: () => undefined });
  const hooks = await createHooks({ host: { name, can }, settings: false, home, cwd: home, hooks: [silent] });
  try {
    const took: number[] = [];
    for (let i = 0; i < FIRST + COUNTED; i++) {
      const began = performance.now();
      await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } });
      if (i >= FIRST) took.push(performance.now() - began);
    }
    const ms = took.toSorted((a, b) => a - b)[Math.floor(COUNTED / 2)]!;
    return { by: 'agent', ms: Math.round(ms * 100) / 100, why: 'no program is started' };
  } finally {
    await hooks.close();
    removeTree(home);
  }
}
