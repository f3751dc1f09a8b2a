/** Real agents, reached by `anyhook install`: a refusal stops the tool, a change reaches it, context reaches the model. */
import { afterAll, describe, expect, test } from 'vitest';
import { AGENT_NAMES, type AgentName, type Sheet, SHEETS } from '../../src/hosts/bridges/capabilities.ts';
import { AGENTS } from './agents.ts';
import { GUARDS, runBridged, type Seen } from './bridged.ts';
import { writeTable } from './write-table.ts';

const wanted = process.env['CLIENTS']?.split(',') ?? AGENT_NAMES;
const seen = new Map<AgentName, Seen>();
afterAll(() => writeTable(seen));

describe.each(AGENT_NAMES.filter((name) => wanted.includes(name)))('%s', (agent) => {
  const { can }: Sheet = SHEETS[agent];

  test('without hooks every command runs', async () => {
    const control = await runBridged(agent, { bridge: false });
    expect([control.ran, control.control, control.original], control.output).toEqual([
      [...GUARDS],
      true,
      true,
    ]);
  });

  test('with the bridge a hook of every dialect is obeyed', async () => {
    const result = await runBridged(agent, { bridge: true });
    seen.set(agent, result);
    expect(result.ran, result.output).toEqual([]);
    expect(result.told, result.output).toEqual([...GUARDS]);
    expect(result.control, result.output).toBe(true);
    // Hooks that the agent runs by itself are in no journal of ours.
    expect(result.recorded.length, result.recorded.join()).toBeGreaterThanOrEqual(GUARDS.length - 1);
    const canChange = can['tool.before']?.set === 'full';
    expect([result.rewritten, result.original], result.output).toEqual([canChange, false]);
    expect(result.context).toBe(can['tool.after']?.context === 'full');
    if (AGENTS[agent].reachesOut !== true) expect(result.outside).toEqual([]);
  });
});
