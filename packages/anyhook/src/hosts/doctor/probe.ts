/**
 * Does this agent, in this version, really obey us? It is started twice in a home of its own, against a model on loopback
 * that asks for one command: once without us, when the command must run, and once with our bridge and a guard that says
 * no, when it must not. Nothing of the person's own is read or written.
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
import { SIDE_ROUTES_GUARD } from '../../assembly/side-routes.ts';
import { type ProgramEnd, runToEnd } from './look/run-program.ts';
import { removeTree } from '../../settings/remove-tree.ts';

export interface ProbeResult {
  readonly agent: AgentName;
  readonly verdict: 'enforced' | 'not-enforced' | 'could-not-run';
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
  const could = (why: string): ProbeResult => ({ agent, verdict: 'could-not-run', why });
  const control = await staged(options, 'bare');
  if (!control.ran) return could(`without any hook the command did not run either: ${control.said}`);
  const guarded = await staged(options, 'guarded');
  if (guarded.ran)
    return {
      agent,
      verdict: 'not-enforced',
      why: guarded.denied ? 'we said no, and the command ran' : 'the command ran, and we were never asked',
    };
  if (!guarded.asked)
    return could(`with the bridge the model was never asked for the command: ${guarded.said}`);
  if (!guarded.denied) return could(`the command did not run, but not because of us: ${guarded.said}`);
  const why = 'without us the command ran, with us it did not';
  if (AGENTS[agent].sideRoutes.stdin !== 'unasked') return { agent, verdict: 'enforced', why };
  const door = await staged(options, 'shut');
  return door.denied
    ? {
        agent,
        verdict: 'enforced',
        why: `${why}; a bare shell, into which it sends keys unasked, was not opened`,
      }
    : {
        agent,
        verdict: 'not-enforced',
        why: 'it opened a bare shell, and asks no hook about the keys it sends there',
      };
}

/** `shut`: the model asks for a bare shell, while a guard of shell commands is set. */
type How = 'bare' | 'guarded' | 'shut';

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
): Promise<Evidence> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-probe-')));
  const [home, project, temp] = ['home', 'project', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, temp]) mkdirSync(folder);
  const { startModelServer } = await import('../../testing/model-server/index.ts'); // for the probe alone
  const model = await startModelServer({
    command: how === 'shut' ? 'bash' : `touch ${CANARY}`,
    cwd: project,
  });
  try {
    const { args, env: more, files } = await AGENTS[agent].headless();
    for (const [name, text] of Object.entries(files(model.url))) put(join(home, name), text);
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
