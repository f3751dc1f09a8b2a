/**
 * Does this agent, in this version, really obey us? It is started twice in a home of its own, against a model on loopback
 * that asks for one command: once without us, when the command must run, and once with our bridge and a guard that says
 * no, when it must not. The same by every side route that can be taken without a terminal. Nothing of the person's own is
 * read or written.
 */
import type { Agent } from '../../agents/shared/agent.ts';
import type { Trial } from '../../agents/shared/route-trial.ts';
import {
  DOOR_ROUTES,
  SIDE_ROUTE_NAMES,
  SIDE_ROUTES,
  type SideRoute,
} from '../../agents/shared/side-routes.ts';
import type { CellsSeen } from '../../agents/stranger.ts';
import { SIDE_ROUTES_GUARD } from '../../assembly/side-routes.ts';
import { CANARY, playStaged, type StagedAgent } from './stage.ts';

export interface ProbeResult {
  readonly agent: string;
  readonly verdict: 'enforced' | 'not-enforced' | 'could-not-run';
  readonly why: string;
  /** Empty where the plain call is not enforced. */
  readonly routes: readonly RouteResult[];
  /** Of an agent that has no record here, where a plain call is enforced. */
  readonly measured?: CellsSeen;
}
export interface RouteResult {
  readonly route: SideRoute;
  /** `shut`: what would open it was refused. `open`: nobody was asked, and the command ran. */
  readonly verdict: 'asked' | 'shut' | 'open' | 'not-tried';
  readonly why: string;
  /** Of a call that was refused to a subagent: our hooks were told that it was one's. */
  readonly isToldApart?: boolean;
}
const REASON = 'anyhook doctor: the canary guard says no';

export async function probe(options: StagedAgent): Promise<ProbeResult> {
  const { agent } = options;
  const said = (verdict: ProbeResult['verdict'], why: string): ProbeResult => ({
    agent: agent.name,
    verdict,
    why,
    routes: [],
  });
  if (agent.headless === null && options.start === undefined)
    return said('could-not-run', 'no way is known to start it against a model on loopback');
  const outside = fileOutsideHome(agent);
  if (outside !== undefined)
    return said('could-not-run', `its settings are not below the home folder: ${outside}`);
  const control = await staged(options, 'bare', PLAIN);
  if (!control.ran)
    return said('could-not-run', `without any hook the command did not run either: ${control.said}`);
  const guarded = await staged(options, 'guarded', PLAIN);
  if (guarded.ran)
    return said(
      'not-enforced',
      guarded.denied ? 'we said no, and the command ran' : 'the command ran, and we were never asked',
    );
  if (!guarded.asked)
    return said(
      'could-not-run',
      `with the bridge the model was never asked for the command: ${guarded.said}`,
    );
  if (!guarded.denied)
    return said('could-not-run', `the command did not run, but not because of us: ${guarded.said}`);
  const routes: RouteResult[] = [];
  for (const route of SIDE_ROUTE_NAMES)
    if (agent.sideRoutes[route].sight !== 'absent') routes.push(await probeRoute(options, route));
  const open = routes.find(({ verdict }) => verdict === 'open');
  return open === undefined
    ? { ...said('enforced', 'without us the command ran, with us it did not'), routes }
    : {
        ...said('not-enforced', `a plain call is refused, but ${SIDE_ROUTES[open.route]}: ${open.why}`),
        routes,
      };
}

async function probeRoute(options: StagedAgent, route: SideRoute): Promise<RouteResult> {
  const { sideRoutes, headless } = options.agent;
  const { sight } = sideRoutes[route];
  const result = (verdict: RouteResult['verdict'], why: string): RouteResult => ({ route, verdict, why });
  // Its line may start anything: what the agent that it is like would take for a route means nothing there.
  const known = options.start === undefined ? (await headless?.())?.routes?.[route] : undefined;
  const trial = known ?? (route === 'stdin' ? BARE_SHELL : undefined);
  if (sight === 'unasked' && trial !== undefined && DOOR_ROUTES.some((one) => one === route)) {
    const door = await staged(options, 'shut', trial);
    return door.denied
      ? result('shut', 'its hooks are not asked there, and what opens it was refused')
      : result('open', 'its hooks are not asked there, and what opens it was not refused');
  }
  if (known === undefined || trial === undefined)
    return result('not-tried', `no way is known to take it without a terminal; its record says: ${sight}`);
  const control = await staged(options, 'bare', trial);
  if (!control.ran)
    return result('not-tried', `without any hook the command did not run either: ${control.said}`);
  const guarded = await staged(options, guardOf(options.agent, route), trial);
  if (guarded.ran)
    return result('open', guarded.denied ? 'we said no, and it ran' : 'it ran, and we were never asked');
  if (!guarded.denied)
    return result('not-tried', `the command did not run, but not because of us: ${guarded.said}`);
  const why = 'without us the command ran, with us it did not';
  if (route !== 'subagents') return result('asked', why);
  const { isToldApart } = guarded;
  return {
    ...result('asked', isToldApart ? why : `${why}; hooks are not told that it is a subagent's`),
    isToldApart,
  };
}

/** `shut`: the model asks for what opens a route, while a guard of shell commands is set. */
type How = 'bare' | 'guarded' | 'server guarded' | 'shell guarded' | 'prompt guarded' | 'shut';
/** What refuses there, where it is no guard of the shell. */
const GUARDED: { readonly [R in SideRoute]?: How } = { mcp: 'server guarded', slash: 'prompt guarded' };
/** Where no prompt can be refused without a terminal, a command of the person's is judged by the calls that follow from it. */
const guardOf = ({ can, unseen }: Agent, route: SideRoute): How =>
  route === 'slash' && (can['prompt.submit']?.deny !== 'full' || Object.hasOwn(unseen, 'prompt.submit deny'))
    ? 'shell guarded'
    : (GUARDED[route] ?? 'shell guarded');
const BARE_SHELL: Trial = () => ({ calls: [{ shell: 'bash' }] });
const PLAIN: Trial = ({ command }) => ({ calls: [{ shell: command }] });

interface Evidence {
  /** The command left its mark. */
  readonly ran: boolean;
  /** The model has asked for it. */
  readonly asked: boolean;
  /** Our journal holds the refusal. */
  readonly denied: boolean;
  readonly isToldApart: boolean;
  /** How the agent ended, in a line. */
  readonly said: string;
}

function staged(options: StagedAgent, how: How, trial: Trial): Promise<Evidence> {
  const id = how === 'shut' ? SIDE_ROUTES_GUARD : `#${CANARY}`;
  return playStaged(
    options,
    { trial, ...(how !== 'bare' && { hooks: hooksFor(how) }) },
    ({ has, calls, isDenied, isDeniedToSubagent, said }) => ({
      ran: has(CANARY),
      asked: calls > 0,
      denied: isDenied(id),
      isToldApart: isDeniedToSubagent(id),
      said,
    }),
  );
}

function hooksFor(how: How): Readonly<Record<string, readonly object[]>> {
  const isShell = how === 'shell guarded' || how === 'shut';
  const guard = {
    name: CANARY,
    ...(isShell && { match: `shell(touch ${CANARY})` }),
    // In our words for it, whatever the agent calls a server's tool: so a guard would be written.
    ...(how === 'server guarded' && { match: 'mcp__probe__*' }),
    run: `echo '${REASON}' >&2; exit 2`,
  };
  return { [how === 'prompt guarded' ? 'prompt.submit' : 'tool.before']: [guard] };
}

/** A home of its own would not be all that is written to. */
function fileOutsideHome({ bridge }: Agent): string | undefined {
  const where = { scope: 'user', home: '/home/probed', cwd: '/home/probed/project', env: {} } as const;
  return bridge(where).find(({ file }) => !file.startsWith(`${where.home}/`))?.file;
}
