/** Compares the doctor's probe with real agents and with the side routes in their records. */

import { afterAll, expect, test, vi } from 'vitest';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import {
  type RouteSight,
  SIDE_ROUTE_NAMES,
  type SideRoute,
  type SideRoutes,
} from '../../src/agents/shared/side-routes.ts';
import { probe, type RouteResult } from '../../src/doctor/probe.ts';
import { programOf } from './agents.ts';
import { CHOSEN, headlessOf } from './packages.ts';
import { keepResults } from './results.ts';
import { PATH } from './run-agent.ts';

/** `shut` routes are not tried, and therefore not open. */
const SIGHTS: Readonly<Record<Exclude<RouteResult['verdict'], 'not-tried'>, RouteSight>> = {
  asked: 'asked',
  open: 'unasked',
  shut: 'unasked',
};
// The probe installs from this process, not from the package under test.
vi.mock(import('../../src/daemon/client-file.ts'), async (original) => {
  const [real, { CLIENT_KIND }] = [await original(), await import('./package-under-test.ts')];
  return CLIENT_KIND === 'node' ? { ...real, clientFor: () => real.nodeClient() } : real;
});

const tried = new Map<AgentName, readonly RouteResult[]>();
afterAll(() => keepResults('routes', tried));

test.concurrent.each(CHOSEN)(
  'the probe finds that %s enforces refusals of our bridge in every way that can be tested',
  { timeout: 1_200_000 },
  async (agent) => {
    const { sideRoutes, tellsSubagents } = AGENTS[agent];
    const program = await programOf(agent);
    const { routes, ...said } = await probe({ agent: AGENTS[agent], program, env: { PATH } });
    expect(said).toEqual({
      agent,
      verdict: 'enforced',
      why: 'without us the command ran, with us it did not',
    });
    const results = routes.filter(({ verdict }) => verdict !== 'not-tried');
    const seen = Object.fromEntries(
      results.map(({ route, verdict }) => [route, { sight: SIGHTS[verdict as 'asked'], from: 'run' }]),
    );
    const { routes: trials = {} } = await headlessOf(agent);
    const known = SIDE_ROUTE_NAMES.filter(
      (route) => route in trials || (sideRoutes[route].sight === 'unasked' && route === 'stdin'),
    );
    expect(seen, JSON.stringify(routes, null, 2)).toEqual(pick(sideRoutes, known));
    expect(results.find(({ route }) => route === 'subagents')?.isToldApart ?? null).toBe(tellsSubagents);
    tried.set(agent, routes);
  },
);

/** The parts of the record that a run can show. It cannot show which tools open a route. */
const pick = (all: SideRoutes, names: readonly SideRoute[]): object =>
  Object.fromEntries(names.map((name) => [name, { sight: all[name].sight, from: all[name].from }]));
