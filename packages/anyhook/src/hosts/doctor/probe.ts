/**
 * Does this agent, in this version, really obey us? It is started twice in a home of its own, against a model on loopback
 * that asks for one command: once without us, when the command must run, and once with our bridge and a guard that says
 * no, when it must not. The same by every side route that can be taken without a terminal. Nothing of the person's own is
 * read or written.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { readFolder } from '../../journal/index.ts';
import { type AgentName, AGENTS } from '../../agents/index.ts';
import { carryOut } from '../install/carry-out.ts';
import { planInstall } from '../install/plan.ts';
import { setupFor } from '../install/setup.ts';
import { foldersOf } from '../../assembly/folders.ts';
import { SIDE_ROUTE_NAMES, SIDE_ROUTES, type SideRoute } from '../../agents/shared/side-routes.ts';
import { type RouteTrial, SUBTASK, type TrialTerms } from '../../agents/shared/route-trial.ts';
import { canaryServer } from './canary-server.ts';
import { SIDE_ROUTES_GUARD } from '../../assembly/side-routes.ts';
import { type ProgramEnd, runToEnd } from './look/run-program.ts';
import { removeTree } from '../../settings/remove-tree.ts';

export interface ProbeResult {
  readonly agent: AgentName;
  readonly verdict: 'enforced' | 'not-enforced' | 'could-not-run';
  readonly why: string;
  /** Empty where the plain call is not enforced. */
  readonly routes: readonly RouteResult[];
}
export interface RouteResult {
  readonly route: SideRoute;
  /** `shut`: what would open it was refused. `open`: nobody was asked, and the command ran. */
  readonly verdict: 'asked' | 'shut' | 'open' | 'not-tried';
  readonly why: string;
}
export interface ProbeOptions {
  readonly agent: AgentName;
  /** The program, with words that go before all others (`node`, `cli.js`). */
  readonly program: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For each of the two runs. */
  readonly timeoutMs?: number;
}

const CANARY = 'canary';
const REASON = 'anyhook doctor: the canary guard says no';
const USUAL_MS = 120_000;

export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  const { agent } = options;
  const said = (verdict: ProbeResult['verdict'], why: string): ProbeResult => ({
    agent,
    verdict,
    why,
    routes: [],
  });
  if (AGENTS[agent].headless === null)
    return said('could-not-run', 'no way is known to start it against a model on loopback');
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
    if (AGENTS[agent].sideRoutes[route] !== 'absent') routes.push(await probeRoute(options, route));
  const open = routes.find(({ verdict }) => verdict === 'open');
  return open === undefined
    ? { ...said('enforced', 'without us the command ran, with us it did not'), routes }
    : {
        ...said('not-enforced', `a plain call is refused, but ${SIDE_ROUTES[open.route]}: ${open.why}`),
        routes,
      };
}

async function probeRoute(options: ProbeOptions, route: SideRoute): Promise<RouteResult> {
  const { sideRoutes, headless } = AGENTS[options.agent];
  const result = (verdict: RouteResult['verdict'], why: string): RouteResult => ({ route, verdict, why });
  if (route === 'stdin' && sideRoutes.stdin === 'unasked') {
    const door = await staged(options, 'shut', () => ({ calls: [{ shell: 'bash' }] }));
    return door.denied
      ? result('shut', 'a bare shell, into which it sends keys unasked, was not opened')
      : result('open', 'it opened a bare shell, and asks no hook about the keys it sends there');
  }
  const trial = (await headless?.())?.routes?.[route];
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

async function staged(
  { agent, program, env, timeoutMs = USUAL_MS }: ProbeOptions,
  how: How,
  trial: Trial,
): Promise<Evidence> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-probe-')));
  const [home, project, temp] = ['home', 'project', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, temp]) mkdirSync(folder);
  const { startModelServer } = await import('../../testing/model-server/index.ts'); // for the probe alone
  const command = `touch ${CANARY}`;
  const server = [process.execPath, join(root, 'server.cjs')] as const;
  const { calls, inside = [], files: further = {} } = trial({ command, server });
  const model = await startModelServer({
    script: {
      main: [...calls, { text: 'done' }],
      routes: [{ match: SUBTASK, steps: [...inside, { text: 'done' }] }],
    },
    cwd: project,
  });
  try {
    const { args, env: more, files } = await AGENTS[agent].headless!(); // it was asked for before
    put(server[1], canaryServer(join(project, CANARY)));
    for (const [name, text] of Object.entries({ ...files(model.url), ...further }))
      put(join(home, name), text);
    if (how !== 'bare') guard(agent, home, project, how);
    const ended = await runToEnd([...program, ...args('Please do the task.', model.url)], {
      cwd: project,
      env: { ...bare(env, home, temp), ...more(model.url) },
      timeoutMs,
    });
    return {
      ran: existsSync(join(project, CANARY)),
      asked: model.requests.some(({ turn }) => turn?.kind === 'calls'),
      denied: how !== 'bare' && isDenied(home, how === 'shut' ? SIDE_ROUTES_GUARD : `#${CANARY}`),
      said: lineOf(ended),
    };
  } finally {
    await model.close();
    removeTree(root);
  }
}

function guard(agent: AgentName, home: string, cwd: string, how: How): void {
  const hook = {
    name: CANARY,
    ...(how === 'shut' && { match: `shell(touch ${CANARY})` }),
    run: `echo '${REASON}' >&2; exit 2`,
  };
  put(
    join(home, '.config', 'anyhook', 'hooks.json'),
    JSON.stringify({ hooks: { 'tool.before': [hook] }, engine: 'off' }), // nothing outlives its home
  );
  carryOut(planInstall(agent, { scope: 'user', home, cwd, env: {} }, setupFor('closed')));
}

function isDenied(home: string, id: string): boolean {
  const { journal } = foldersOf({ home, cwd: home, env: {} });
  for (const entry of readFolder(journal, { verdict: 'deny' }))
    if (entry.kind === 'record' && entry.record.hooks.some(({ hook }) => hook.id.endsWith(id))) return true;
  return false;
}

/** Nothing of the person's environment but the way to programs; what is not loopback is sent where nobody listens. */
function bare(env: ProbeOptions['env'], home: string, temp: string): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return {
    PATH: [env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin', dirname(process.execPath)].join(delimiter),
    HOME: home,
    TMPDIR: temp,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(proxies.map((name) => [name, nowhere])),
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function lineOf({ code, why, output }: ProgramEnd): string {
  const last = output.trim().split('\n').slice(-3).join(' ').slice(-300);
  return `${why ?? `it ended with ${code}`}${last === '' ? '' : `; it said: ${last}`}`;
}
