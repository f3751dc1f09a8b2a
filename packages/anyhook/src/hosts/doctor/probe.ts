/**
 * Does this agent, in this version, really obey us? It is started twice in a home of its own, against a model on loopback
 * that asks for one command: once without us, when the command must run, and once with our bridge and a guard that says
 * no, when it must not. The same by every side route that can be taken without a terminal. Nothing of the person's own is
 * read or written.
 */
import type { Agent } from '../../agents/shared/agent.ts';
import type { RouteTrial, TrialTerms } from '../../agents/shared/route-trial.ts';
import { SIDE_ROUTE_NAMES, SIDE_ROUTES, type SideRoute } from '../../agents/shared/side-routes.ts';
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
    if (agent.sideRoutes[route] !== 'absent') routes.push(await probeRoute(options, route));
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
  const result = (verdict: RouteResult['verdict'], why: string): RouteResult => ({ route, verdict, why });
  if (route === 'stdin' && sideRoutes.stdin === 'unasked') {
    const door = await staged(options, 'shut', () => ({ calls: [{ shell: 'bash' }] }));
    return door.denied
      ? result('shut', 'a bare shell, into which it sends keys unasked, was not opened')
      : result('open', 'it opened a bare shell, and asks no hook about the keys it sends there');
  }
  // Its line may start anything: what the agent that it is like would take for a route means nothing there.
  const trial = options.start === undefined ? (await headless?.())?.routes?.[route] : undefined;
  if (trial === undefined)
    return result(
      'not-tried',
      `no way is known to take it without a terminal; its record says: ${sideRoutes[route]}`,
    );
  const control = await staged(options, 'bare', trial);
  if (!control.ran)
    return result('not-tried', `without any hook the command did not run either: ${control.said}`);
  const guarded = await staged(options, 'guarded', trial);
  if (guarded.ran)
    return result('open', guarded.denied ? 'we said no, and it ran' : 'it ran, and we were never asked');
  return guarded.denied
    ? result('asked', 'without us the command ran, with us it did not')
    : result('not-tried', `the command did not run, but not because of us: ${guarded.said}`);
}

/** `shut`: the model asks for a bare shell, while a guard of shell commands is set. */
type How = 'bare' | 'guarded' | 'shut';
type Trial = (terms: TrialTerms) => RouteTrial;
const PLAIN: Trial = ({ command }) => ({ calls: [{ shell: command }] });

interface Evidence {
  /** The command left its mark. */
  readonly ran: boolean;
  /** The model has asked for it. */
  readonly asked: boolean;
  /** Our journal holds the refusal. */
  readonly denied: boolean;
  /** How the agent ended, in a line. */
  readonly said: string;
}

const staged = (options: StagedAgent, how: How, trial: Trial): Promise<Evidence> =>
  playStaged(
    options,
    { trial, ...(how !== 'bare' && { hooks: { 'tool.before': [guardFor(how)] } }) },
    ({ has, calls, isDenied, said }) => ({
      ran: has(CANARY),
      asked: calls > 0,
      denied: isDenied(how === 'shut' ? SIDE_ROUTES_GUARD : `#${CANARY}`),
      said,
    }),
  );

const guardFor = (how: How) => ({
  name: CANARY,
  ...(how === 'shut' && { match: `shell(touch ${CANARY})` }),
  run: `echo '${REASON}' >&2; exit 2`,
});

/** A home of its own would not be all that is written to. */
function fileOutsideHome({ bridge }: Agent): string | undefined {
  const where = { scope: 'user', home: '/home/probed', cwd: '/home/probed/project', env: {} } as const;
  return bridge(where).find(({ file }) => !file.startsWith(`${where.home}/`))?.file;
}
