/** One event of an agent, from its native payload to its native answer: the same for a program that ends and one that stays. */
import { isAbsolute } from 'node:path';
import { foldersOf, locationsOf } from '../../assembly/folders.ts';
import { knownAgent } from '../../assembly/strangers.ts';
import { strictly } from '../../assembly/strictly.ts';
import { type Capabilities, onlyRefusals } from '../../canon/capabilities.ts';
import type { Dialect, Locations } from '../../canon/dialect.ts';
import type { Event } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import { type Hook, label } from '../../canon/hook.ts';
import { type Outcome, outcomeOf } from '../../canon/outcome.ts';
import { show } from '../../canon/problems.ts';
import { type TraceHeaders, traceHeadersIn } from '../../canon/trace.ts';
import { safe, safeJson } from '../../views/safe.ts';
import { type NativeOutput, spoken } from '../console/speak.ts';
import { checkFolder } from '../console/usage.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';
import { leftToHost } from '../library/left-to-agent.ts';
import { isBroken, withProblems } from '../library/what-is-off.ts';
import { askedIn, dialectOf, type FireArguments } from './arguments.ts';
import { folderOf } from './folder.ts';
import { handOnVariables } from './hand-on-variables.ts';
import { noteJudged } from './note-judged.ts';
import { eventFrom } from './read-event.ts';
import { workingFolder } from '../../settings/working-folder.ts';
import { isBridged, speakerOf } from './speaker.ts';

export interface FireRequest {
  readonly asked: FireArguments;
  readonly event: Event;
  /** Where the event happened, and the project that it is about. */
  readonly folder: string;
  readonly project: string;
  /** Dialects whose hooks the agent runs by itself. */
  readonly left: readonly string[];
  /** Of the agent that asks. */
  readonly trace: TraceHeaders | undefined;
  /** It came by the bridge of another agent: `asked` is as the agent itself would have asked. */
  readonly isRelayed: boolean;
  /** The agent asks about it by a bridge of its own as well: what is said here is nothing. */
  readonly isAskedElsewhere: boolean;
}

/** A usage error says what is wrong with the words or with the payload. `client`: its environment. */
export function fireRequest(
  argv: readonly string[],
  text: string,
  client: Readonly<Record<string, string | undefined>> = process.env,
  trace: TraceHeaders | undefined = traceHeadersIn(client),
): FireRequest {
  // `PWD` is what a shell once said; who started us elsewhere need not have changed it.
  const env = { ...client, PWD: workingFolder() };
  const said = askedIn(argv);
  const heard = eventFrom(said.dialect, said.event, text, env);
  const speaker = said.host && speakerOf(said.host.name, heard.ids.session, env);
  const asked = speaker
    ? { ...said, dialect: dialectOf(speaker.dialect), host: { name: speaker.name } }
    : said;
  const event = speaker ? eventFrom(asked.dialect, asked.event, text, env) : heard;
  checkFolder('fire', asked.project, '--project');
  const folder = folderOf(asked.project, event.scene.cwd);
  const project = asked.project === undefined ? (projectIn(env, asked.dialect) ?? folder) : folder;
  return {
    asked,
    event,
    folder,
    project,
    left: asked.host === undefined ? [] : leftToHost(asked.host.name, project),
    trace,
    isRelayed: speaker !== undefined,
    isAskedElsewhere: speaker !== undefined && isBridged(speaker, project),
  };
}

/** What is left of the agent's time when hooks are done: to answer, and to end. */
const MARGIN_MS = 50;

/** Milliseconds until the answer has to be written, `startedMs` being when the agent started us. */
function budgetOf({ deadlineMs }: FireArguments, startedMs: number): number | undefined {
  if (deadlineMs === undefined) return undefined;
  return Math.max(1, Math.floor(startedMs + deadlineMs - MARGIN_MS - performance.now()));
}

interface Opening {
  readonly log: (text: string) => void;
  /** When the agent's deadline began, on the monotonic clock. Default: now. */
  readonly startedMs?: number;
}

export function openHooks(
  { asked, project, left }: FireRequest,
  { log, startedMs = performance.now() }: Opening,
): Promise<Hooks> {
  const budgetMs = budgetOf(asked, startedMs);
  return createHooks({
    host: { ...(asked.host ?? { name: asked.dialect.name }), can: canOf(asked, project) },
    sessionStore: 'file',
    cwd: project,
    settings: { without: left },
    modules: { strayErrors: 'survive' },
    ...(asked.hashes.length > 0 && { trust: { hashes: asked.hashes } }),
    // Opening may take half of the time; the other half is for the hooks.
    ...(budgetMs !== undefined && { limits: { openMs: Math.ceil(budgetMs / 2) } }),
    services: { log: (level, message) => log(`anyhook: ${level}: ${safe(message)}\n`) },
  });
}

/**
 * What was seen of the agent; of one that speaks its own words, what its document says. One that nobody has looked at is
 * only known to obey a refusal: what else its words could say may be lost there, and a lost change is consent.
 */
function canOf({ host, dialect }: FireArguments, cwd: string): Capabilities {
  const agent = host && agentIn(host.name, cwd);
  if (agent !== undefined) return agent.can;
  return host === undefined || host.name === dialect.name ? dialect.can : onlyRefusals(dialect.can);
}

const agentIn = (name: string, cwd: string) => knownAgent(name, () => foldersOf(locationsOf({ cwd })));

interface Answering {
  /** Where the project's and the person's files lie, for who has found it out already. */
  readonly here?: Required<Locations>;
  readonly afterwards?: () => Promise<void>;
  /** When the agent's deadline began, on the monotonic clock. Default: now. */
  readonly startedMs?: number;
}

/** The answer is the dialect's own. With `--json`, the whole outcome, and exit 0 or 1. */
export async function answerFire(
  { asked, event, project, trace }: FireRequest,
  hooks: Hooks,
  { here = locationsOf({ cwd: project }), afterwards, startedMs = performance.now() }: Answering = {},
): Promise<NativeOutput> {
  const budgetMs = budgetOf(asked, startedMs);
  const { name, payload, ids, scene, raw } = event;
  const fired = await hooks.fire({
    name,
    payload,
    ids: ids.session === '' ? {} : ids,
    scene: { ...scene, cwd: scene.cwd || project },
    raw,
    ...(budgetMs !== undefined && { budgetMs }),
    ...(trace !== undefined && { traceHeaders: trace }),
  });
  await afterwards?.(); // what still goes wrong then is said as well
  const named = asked.host === undefined ? fired : namedReasons(fired, name, hooks.hooks);
  const told = withProblems(named, name, hooks.problems);
  const outcome = asked.strict ? strictly(told, event) : told;
  if (asked.host !== undefined) noteJudged(asked.host.name, here, event, outcome);
  if (asked.json)
    return { stdout: `${safeJson(outcome, 2)}\n`, stderr: '', code: outcome.proceed === 'no' ? 1 : 0 };
  const reply = asked.dialect.output.write(outcome, event);
  const said = spoken(reply);
  const lines = [
    ...handOnVariables(reply, asked.dialect),
    ...hooks.problems.filter(isBroken).map((one) => safe(show(one))),
  ].map((text) => `anyhook: error: ${text}\n`);
  return { ...said, stderr: `${said.stderr}${lines.join('')}` };
}

/** Where the agent says which folder its session is about; only its own word counts, not that of one around it. */
function projectIn(env: NodeJS.ProcessEnv, { projectVariable = '' }: Dialect): string | undefined {
  const told = env[projectVariable] ?? '';
  return isAbsolute(told) ? told : undefined;
}

/** In another agent nobody sees our journal: a refusal says whose it is, with file and line. A failure says so already. */
export function namedReasons(outcome: Outcome, name: EventName, hooks: readonly Hook[]): Outcome {
  if (outcome.verdict === 'none' || outcome.verdict === 'allow') return outcome;
  const reasons = outcome.reasons.map((reason) => {
    const hook = hooks.find(({ id }) => id === reason.by);
    if (hook === undefined || reason.broken === true) return reason;
    const { file, line } = hook.origin;
    const place = file.startsWith('(') ? 'anyhook' : `${file}:${line}`;
    const words = label(hook).split('\n')[0]!.slice(0, 60);
    return { ...reason, text: `${reason.text}${reason.text === '' ? '' : ' '}[${words}, ${place}]` };
  });
  return outcomeOf({ ...outcome, reasons }, name);
}
