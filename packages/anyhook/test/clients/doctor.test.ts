/** The doctor's probe against real agents: what it says is what they do, and what their records say of side routes. */
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
import { PATH } from './run-agent.ts';
import { keepResults } from './results.ts';

/** `shut`: not asked about, and therefore not opened. */
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
  '%s enforces a refusal that comes through our bridge, by every way that can be tried',
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

/** What a run can show of the record; by which tools a route is opened it cannot. */
const pick = (all: SideRoutes, names: readonly SideRoute[]): object =>
  Object.fromEntries(names.map((name) => [name, { sight: all[name].sight, from: all[name].from }]));
