/**
 * Tests whether this agent version obeys us. The agent runs in its own home folder against a model on loopback. The model
 * requests a command plainly and by every side route that works without a terminal: without hooks each must run, and with our
 * bridge and refusing guards none must. Reads and writes nothing of the user's.
 */

import type { CellsSeen } from '../agents/custom-agent.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { Trial } from '../agents/shared/route-trial.ts';
import {
  ROUTES_WITH_OPENER,
  SIDE_ROUTE_NAMES,
  SIDE_ROUTES,
  type SideRoute,
} from '../agents/shared/side-routes.ts';
import { type Evidence, type EvidenceByWay, tryBare, tryGuarded, type ProbeWay } from './attempts.ts';
import type { StagedAgent } from './stage.ts';
import { type GuardResult, tryWrittenGuards } from './written-guards.ts';

export interface ProbeResult {
  readonly agent: string;
  readonly verdict: 'enforced' | 'not-enforced' | 'could-not-run';
  readonly why: string;
  /** Empty if the plain call is not enforced. */
  readonly routes: readonly RouteResult[];
  /** Only for an agent without a record whose plain call is enforced. */
  readonly measured?: CellsSeen;
  /** Also only for such an agent: guards as users write them. */
  readonly guards?: readonly GuardResult[];
}
export interface RouteResult {
  readonly route: SideRoute;
  /** `shut`: the call that opens the route was refused. `open`: no hook was called and the command ran. */
  readonly verdict: 'asked' | 'shut' | 'open' | 'not-tried';
  readonly why: string;
  /** For a refused call of a subagent: whether our hooks received that it came from a subagent. */
  readonly isToldApart?: boolean;
}

export async function probe(options: StagedAgent): Promise<ProbeResult> {
  const verdictOf = (verdict: ProbeResult['verdict'], why: string): ProbeResult => ({
    agent: options.agent.name,
    verdict,
    why,
    routes: [],
  });
  const obstacle = obstacleFor(options);
  if (obstacle !== undefined) return verdictOf('could-not-run', obstacle);
  const ways = await waysOf(options);
  const controls = await tryBare(options, [PLAIN, ...ways]);
  const control = await orAlone(
    controls.get('plain')!,
    ({ ran }) => ran,
    () => tryBare(options, [PLAIN]),
  );
  if (!control.ran)
    return verdictOf(
      'could-not-run',
      `without any hook the command did not run either: ${control.ending}${options.hint ?? ''}`,
    );
  const refusals = await tryGuarded(options, [PLAIN, ...ways]);
  const guarded = await orAlone(
    refusals.get('plain')!,
    ({ denied, ran }) => denied || ran,
    () => tryGuarded(options, [PLAIN]),
  );
  if (guarded.ran) return verdictOf('not-enforced', await whyItRan(options, guarded));
  if (!guarded.asked)
    return verdictOf(
      'could-not-run',
      `with the bridge the model was never asked for the command: ${guarded.ending}`,
    );
  if (!guarded.denied)
    return verdictOf('could-not-run', `the command did not run, but not because of us: ${guarded.ending}`);
  const routes = await routeResults(options, ways, { controls, refusals });
  const guards = options.isCustomAgent === true ? { guards: await tryWrittenGuards(options) } : {};
  const passed = guards.guards?.find(({ verdict }) => verdict === 'passes');
  if (passed !== undefined)
    return {
      ...verdictOf(
        'not-enforced',
        `a guard for the shell holds, but ${passed.match} does not: ${passed.why}`,
      ),
      routes,
      ...guards,
    };
  const open = routes.find(({ verdict }) => verdict === 'open');
  return open === undefined
    ? { ...verdictOf('enforced', 'without us the command ran, with us it did not'), routes, ...guards }
    : {
        ...verdictOf('not-enforced', `a plain call is refused, but ${SIDE_ROUTES[open.route]}: ${open.why}`),
        routes,
      };
}

/** Why the agent cannot be started in its own home folder. */
function obstacleFor({ agent, start }: StagedAgent): string | undefined {
  if (agent.headless === null && start === undefined)
    return 'no way is known to start it against a model on loopback';
  const outside = fileOutsideHome(agent);
  return outside === undefined ? undefined : `its settings are not below the home folder: ${outside}`;
}

interface TriedWays {
  readonly controls: EvidenceByWay;
  readonly refusals: EvidenceByWay;
}

async function routeResults(
  options: StagedAgent,
  ways: readonly ProbeWay[],
  { controls, refusals }: TriedWays,
): Promise<RouteResult[]> {
  const { sideRoutes } = options.agent;
  const routes: RouteResult[] = [];
  for (const route of SIDE_ROUTE_NAMES.filter((name) => sideRoutes[name].sight !== 'absent')) {
    const way = ways.find(({ name }) => name === route);
    if (way === undefined) {
      const why = `no way is known to take it without a terminal; its record says: ${sideRoutes[route].sight}`;
      routes.push({ route, verdict: 'not-tried', why });
      continue;
    }
    const [bare, refused] = [controls.get(route), refusals.get(route)!];
    const among = resultOf(route, way, bare, refused);
    const isClear = among.verdict !== 'not-tried' && !(way.guard === 'opener' && among.verdict === 'open');
    const isAlone = bare?.isAlone !== false && refused.isAlone;
    routes.push(isClear || isAlone ? among : await resultAlone(options, route, way));
  }
  return routes;
}

/** A guard for `shell` did not stop the call: either the agent ignores us, or the matcher did not match its tool. */
async function whyItRan(options: StagedAgent, guarded: Evidence): Promise<string> {
  if (guarded.denied) return 'our guard refused, and the command ran';
  const any = (await tryGuarded(options, [{ ...PLAIN, guard: 'any' }])).get('plain')!;
  if (any.ran || !any.denied) return 'the command ran, and our hooks were never called';
  return `only guards without "match" hold: "shell(…)" did not fit its tool ${any.toolsCalled.join(', ')}`;
}

/** Another attempt in the session may have blocked this one, so it is tried once more alone. */
async function orAlone(
  among: Evidence,
  isClear: (evidence: Evidence) => boolean,
  alone: () => Promise<EvidenceByWay>,
): Promise<Evidence> {
  return isClear(among) || among.isAlone ? among : [...(await alone()).values()][0]!; // one way returns one result
}

async function resultAlone(options: StagedAgent, route: SideRoute, way: ProbeWay): Promise<RouteResult> {
  const control = (await tryBare(options, [way])).get(route);
  if (control !== undefined && !control.ran) return resultOf(route, way, control, control);
  return resultOf(route, way, control, (await tryGuarded(options, [way])).get(route)!);
}

/** `control` is undefined if the call that opens the route is refused. */
function resultOf(
  route: SideRoute,
  { guard }: ProbeWay,
  control: Evidence | undefined,
  guarded: Evidence,
): RouteResult {
  const result = (verdict: RouteResult['verdict'], why: string): RouteResult => ({ route, verdict, why });
  if (guard === 'opener')
    return guarded.denied
      ? result('shut', 'its hooks are not asked there, and what opens it was refused')
      : result('open', 'its hooks are not asked there, and what opens it was not refused');
  if (control?.ran !== true)
    return result('not-tried', `without any hook the command did not run either: ${control?.ending}`);
  if (guarded.ran)
    return result(
      'open',
      guarded.denied ? 'our guard refused, and it ran' : 'it ran, and our hooks were never called',
    );
  if (!guarded.denied)
    return result('not-tried', `the command did not run, but not because of us: ${guarded.ending}`);
  const why = 'without us the command ran, with us it did not';
  if (route !== 'subagents') return result('asked', why);
  const { isToldApart } = guarded;
  return {
    ...result('asked', isToldApart ? why : `${why}; hooks are not told that it is a subagent's`),
    isToldApart,
  };
}

const BARE_SHELL: Trial = () => ({ calls: [{ shell: 'bash' }] });
const PLAIN: ProbeWay = {
  name: 'plain',
  trial: ({ command }) => ({ calls: [{ shell: command }] }),
  guard: 'shell',
};

/** The side routes that can be taken. */
async function waysOf({ agent, start, isCustomAgent }: StagedAgent): Promise<readonly ProbeWay[]> {
  // Its start line may start anything, so the routes of the similar agent do not apply.
  const trials =
    start === undefined && isCustomAgent !== true ? ((await agent.headless?.())?.routes ?? {}) : {};
  // Background work reports to the model at any later time and adds turns, so it comes last.
  const inTurn = SIDE_ROUTE_NAMES.toSorted((a, b) => Number(a === 'background') - Number(b === 'background'));
  return inTurn.flatMap((name): readonly ProbeWay[] => {
    const { sight } = agent.sideRoutes[name];
    const isOpener = sight === 'unasked' && ROUTES_WITH_OPENER.some((opened) => opened === name);
    const trial = trials[name] ?? (isOpener && name === 'stdin' ? BARE_SHELL : undefined);
    if (sight === 'absent' || trial === undefined) return [];
    return [{ name, trial, guard: isOpener ? 'opener' : guardOf(agent, name) }];
  });
}

function guardOf({ can, unseen }: Agent, route: SideRoute): ProbeWay['guard'] {
  if (route === 'mcp') return 'server';
  // If no prompt can be refused without a terminal, a user's command is judged by the calls that follow it.
  const canRefuse = can['prompt.submit']?.deny === 'full' && !Object.hasOwn(unseen, 'prompt.submit deny');
  return route === 'slash' && canRefuse ? 'prompt' : 'shell';
}

/** A file that the agent would write outside a temporary home folder. */
function fileOutsideHome({ bridge }: Agent): string | undefined {
  const where = { scope: 'user', home: '/home/probed', cwd: '/home/probed/project', env: {} } as const;
  return bridge(where).find(({ file }) => !file.startsWith(`${where.home}/`))?.file;
}
