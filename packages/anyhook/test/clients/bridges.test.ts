/** Installs anyhook into real agents and checks that effects work as the capability table says. */

import { afterAll, describe, expect, test } from 'vitest';
import { gradeOf } from '../../src/agents/capabilities.ts';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { type CapabilityCell, CELLS } from '../../src/agents/shared/cells.ts';
import { refusesPrompt, runBridged, type Seen } from './bridged.ts';
import { GUARDS } from './guards.ts';
import { CHOSEN, headlessOf } from './packages.ts';
import { keepResults } from './results.ts';

const seen = new Map<AgentName, object>();
afterAll(() => keepResults('bridges', seen));

describe.each(CHOSEN)('%s', (agent) => {
  let result: Seen | undefined;

  test('every command runs without hooks, and the model reads the output', async () => {
    const control = await runBridged(agent, { bridge: false });
    const nothing = Object.fromEntries(Object.keys(control.cells).map((cell) => [cell, false]));
    expect([control.ran, control.control, control.original, control.secret], control.output).toEqual([
      [...GUARDS],
      true,
      true,
      true,
    ]);
    expect(control.cells).toEqual(nothing);
  });

  test('the bridge enforces a hook of every dialect', async () => {
    result = await runBridged(agent, { bridge: true });
    expect(result.ran, result.output).toEqual([]);
    expect(result.told, result.output).toEqual([...GUARDS]);
    expect(result.control, result.output).toBe(true);
    // Hooks that the agent runs itself are not in our journal.
    expect(result.recorded.length, result.recorded.join()).toBeGreaterThanOrEqual(GUARDS.length - 1);
    expect(result.original, 'a call that cannot be changed is refused').toBe(false);
    const { reachesOut } = await headlessOf(agent);
    expect(result.outside.filter((where) => !reachesOut.includes(where))).toEqual([]);
  });

  test('every observed effect works as the capability table says', async () => {
    const { ran, told, recorded } = result!;
    const cells = { ...result!.cells, 'prompt.submit deny': await refusesPrompt(agent) };
    const held = GUARDS.filter((name) => !ran.includes(name));
    seen.set(agent, {
      guards: GUARDS.length,
      held: held.length,
      told: told.length,
      recorded: recorded.length,
      cells,
    });
    const unseen = (cell: CapabilityCell) => Object.hasOwn(AGENTS[agent].unseen, cell);
    const claimed = CELLS.map((cell) => [
      cell,
      unseen(cell) ? false : gradeOf(AGENTS[agent], cell) === 'full',
    ]);
    expect(cells).toEqual(Object.fromEntries(claimed));
  });
});
