/** Answers one event of an agent, from its native payload to its native answer. The daemon and a direct run share this code. */

import { appendFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { type NativeOutput, spoken } from '../console/speak.ts';
import { checkFolder } from '../console/usage.ts';
import { type Capabilities, onlyRefusals } from '../events/capabilities.ts';
import type { Dialect, Locations } from '../events/dialect.ts';
import type { Event, WaitingProcesses } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Reply } from '../events/exchange.ts';
import { type Hook, isBuiltIn, shortLabel } from '../events/hook.ts';
import { type Outcome, outcomeOf, silentOutcome } from '../events/outcome.ts';
import { show } from '../events/problems.ts';
import { decides } from '../events/roles.ts';
import { type TraceHeaders, traceHeadersIn } from '../events/trace.ts';
import type { Usage } from '../events/usage.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgent } from '../gather/known-agents.ts';
import { strictly } from '../gather/strictly.ts';
import { createHooks } from '../library/create-hooks.ts';
import { isCall } from '../library/event-of.ts';
import type { Hooks } from '../library/hooks.ts';
import { unansweredRuling } from '../library/layers.ts';
import { leftToHost } from '../library/left-to-agent.ts';
import { isBroken, saying, withProblems } from '../library/what-is-off.ts';
import { safe, safeJson } from '../render/safe.ts';
import { workingFolder } from '../settings/working-folder.ts';
import { SessionUsage } from '../usage/session-usage.ts';
import { dialectOf, type FireArguments } from './arguments.ts';
import { noteJudged } from './note-judged.ts';
import { eventFrom } from './read-event.ts';
import { isBridged, speakerOf } from './speaker.ts';

/** Writes variables for the agent's later commands to the file that the agent named. Returns what went wrong. */
export function handOnVariables(
  reply: Reply,
  { exportsVariable = '' }: Dialect,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const exported = reply.kind === 'exited' ? Object.entries(reply.exported ?? {}) : [];
  if (exported.length === 0) return [];
  const file = env[exportsVariable];
  if (file === undefined)
    return [`variables for later commands are lost: the agent names no file in ${exportsVariable}`];
  const valid = exported.filter(([name, value]) => NAME.test(name) && !value.includes('\0'));
  const odd = exported.filter((variable) => !valid.includes(variable)).map(([name]) => safe(name));
  try {
    appendFileSync(
      file,
      valid.map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`).join(''),
    );
    return odd.length === 0 ? [] : [`no shell can be given the variables ${odd.join(', ')}: they are lost`];
  } catch (error) {
    return [`variables for later commands are lost: ${safe((error as Error).message)}`];
  }
}

const NAME = /^[A-Za-z_]\w*$/;

type Env = Readonly<Record<string, string | undefined>>;

export interface FireRequest {
  readonly asked: FireArguments;
  readonly event: Event;
  /** The project whose hooks count. */
  readonly project: string;
  /** Environment of the client, without the trace headers of this event. */
  readonly env: Env;
  readonly trace: TraceHeaders | undefined;
  /** The agent also sends this event through a bridge of its own, so this request gets an empty answer. */
  readonly isAskedElsewhere: boolean;
  readonly waiting: WaitingProcesses;
}

/** Environment and working directory of the program that sent the event. */
export interface Caller {
  readonly env: Env;
  readonly cwd: string;
  readonly waiting?: WaitingProcesses;
}

/** Throws a `UsageError` if the arguments or the payload are wrong. */
export function fireRequest(given: FireArguments, text: string, caller: Caller): FireRequest {
  const { TRACEPARENT: _parent, TRACESTATE: _state, ...lasting } = caller.env;
  // `PWD` may be outdated: the program may have changed its directory since the shell set it.
  const env: Env = { ...lasting, PWD: caller.cwd };
  const received = eventFrom(given.dialect, given.event, text, env);
  const speaker = given.host && speakerOf(given.host.name, received.ids.session, env);
  const asked = speaker
    ? { ...given, dialect: dialectOf(speaker.dialect), host: { name: speaker.name } }
    : given;
  const event = speaker ? eventFrom(asked.dialect, asked.event, text, env) : received;
  checkFolder('fire', asked.project, '--project');
  const here = () => caller.cwd;
  const folder = folderOf(asked.project, event.scene.cwd, here);
  const project = asked.project === undefined ? (projectIn(env, asked.dialect) ?? folder) : folder;
  return {
    asked,
    event,
    project,
    env,
    trace: traceHeadersIn(caller.env),
    waiting: caller.waiting ?? {},
    isAskedElsewhere: speaker !== undefined && isBridged(speaker, locationsOf({ cwd: project, env })),
  };
}

/** Time reserved from the agent's limit to write the answer and exit. */
const MARGIN_MS = 50;

/** Milliseconds until the answer has to be written. `startedMs`: when the deadline began, by `performance.now()`. */
function budgetOf({ deadlineMs }: FireArguments, startedMs: number): number | undefined {
  if (deadlineMs === undefined) return undefined;
  return Math.max(1, Math.floor(startedMs + deadlineMs - MARGIN_MS - performance.now()));
}

interface OpenOptions {
  readonly locations: Required<Locations>;
  readonly log: (text: string) => void;
  /** When the deadline of the first event began, by `performance.now()`. */
  readonly startedMs: number;
  /** Throws `ModulesNeedProcess` instead of importing a module of the user into this process. */
  readonly refuseImports?: boolean;
}

/** Where the hooks of a request are, and where we keep what belongs to them. */
export const locationsFor = ({ project, env }: FireRequest): Required<Locations> =>
  locationsOf({ cwd: project, env });

export function openHooks(
  { asked, project, env }: FireRequest,
  { locations, log, startedMs, refuseImports = false }: OpenOptions,
): Promise<Hooks> {
  const budgetMs = budgetOf(asked, startedMs);
  return createHooks({
    host: {
      ...(asked.host ?? { name: asked.dialect.name }),
      can: canOf(asked, locations),
    },
    cwd: project,
    env,
    sessionStore: 'file',
    approvals: true,
    // Hooks that the agent runs by itself.
    settings: { without: asked.host === undefined ? [] : leftToHost(asked.host.name, locations) },
    // Without modules there are no stray errors of others to survive.
    modules: refuseImports ? { refuseImports } : { strayErrors: 'survive' },
    ...(asked.hashes.length > 0 && { trust: { hashes: asked.hashes } }),
    // Opening may take half of the time; the other half is for the hooks.
    ...(budgetMs !== undefined && { limits: { openMs: Math.ceil(budgetMs / 2) } }),
    services: { log: (level, message) => log(`anyhook: ${level}: ${safe(message)}\n`) },
  });
}

/**
 * The capabilities of a known agent as measured. For a dialect's own agent, those of the dialect. An unknown agent is only
 * assumed to obey a refusal: any other effect may be lost there, and a lost change is consent.
 */
function canOf({ host, dialect }: FireArguments, locations: Required<Locations>): Capabilities {
  const agent = host && knownAgent(host.name, () => foldersOf(locations));
  if (agent !== undefined) return agent.can;
  return host === undefined || host.name === dialect.name ? dialect.can : onlyRefusals(dialect.can);
}

interface AnswerOptions {
  /** Those that the hooks were opened with. */
  readonly locations: Required<Locations>;
  /** When the deadline began, by `performance.now()`. */
  readonly startedMs: number;
  readonly afterwards?: () => Promise<void>;
  /** Kept between the events of a session. Default: a new one. */
  readonly sessionUsage?: SessionUsage;
}

/** Fires the event and answers in the agent's format. With `--json`, prints the whole outcome and exits 0 or 1. */
export async function answerFire(
  request: FireRequest,
  hooks: Hooks,
  { locations, startedMs, afterwards, sessionUsage = new SessionUsage() }: AnswerOptions,
): Promise<NativeOutput> {
  const { asked, event, project, trace, env, waiting } = request;
  const budgetMs = budgetOf(asked, startedMs);
  const { name, payload, ids, scene, raw } = event;
  const { usage = await usageOf(request, hooks, { locations, sessionUsage }) } = event;
  const fired = await hooks.fire({
    name,
    payload,
    ids: ids.session === '' ? {} : ids,
    scene: { ...scene, cwd: scene.cwd || project },
    raw,
    ...(usage !== undefined && { usage }),
    waiting,
    ...(trace !== undefined && { traceHeaders: trace }),
    ...(budgetMs !== undefined && { budgetMs }),
  });
  await afterwards?.(); // before the problems are read, because closing can add some
  const named = asked.host === undefined ? fired : namedReasons(fired, name, hooks.hooks);
  const reported = withProblems(named, name, hooks.problems);
  const outcome = asked.strict ? strictly(reported, event) : reported;
  if (asked.host !== undefined) noteJudged(asked.host.name, locations, event, outcome);
  if (asked.json)
    return { stdout: `${safeJson(outcome, 2)}\n`, stderr: '', code: outcome.proceed === 'no' ? 1 : 0 };
  const reply = asked.dialect.output.write(outcome, event);
  const output = spoken(reply);
  const lines = [
    ...handOnVariables(reply, asked.dialect, env),
    ...hooks.problems.filter(isBroken).map((problem) => safe(show(problem))),
  ].map((text) => `anyhook: error: ${text}\n`);
  return { ...output, stderr: `${output.stderr}${lines.join('')}` };
}

/** Read only for events that a hook listens to. */
async function usageOf(
  { asked, event }: FireRequest,
  { wants }: Hooks,
  { locations, sessionUsage }: Required<Pick<AnswerOptions, 'locations' | 'sessionUsage'>>,
): Promise<Usage | undefined> {
  if (asked.host === undefined || !wants[event.name]) return undefined;
  const folders = foldersOf(locations);
  const source = knownAgent(asked.host.name, () => folders)?.usage ?? null;
  return sessionUsage.of(source, event, { where: locations, folder: folders.usage });
}

/**
 * The hooks could not be opened. Tool calls are refused, because a guard may be among the hooks. Everything else passes:
 * a user who cannot send a prompt cannot repair anything.
 */
export function answerOpenFailure(request: FireRequest, error: Error): NativeOutput {
  const why = `anyhook failed before it could run any hook: ${error.message}. Run: anyhook doctor`;
  const details = `anyhook: ${safe(error.stack ?? String(error))}\n`;
  const { name } = request.event;
  return unansweredOutput(request, why, { details, isRefused: isCall(name) && decides(name) });
}

/** A module that ends its process has not agreed to anything, and cannot withdraw the refusals of other hooks. */
export const answerProcessEnd = (request: FireRequest): NativeOutput => {
  const why = 'a hook ended the program before the event was answered';
  return unansweredOutput(request, why, { details: `anyhook: ${why}\n`, isRefused: true });
};

function unansweredOutput(
  { asked, event }: FireRequest,
  why: string,
  { details, isRefused }: { readonly details: string; readonly isRefused: boolean },
): NativeOutput {
  if (asked.json) return { stdout: '', stderr: details, code: 70 };
  const ruling = isRefused ? unansweredRuling(event, why) : saying(silentOutcome(event), [why]);
  const output = spoken(asked.dialect.output.write(outcomeOf(ruling, event.name), event));
  return { ...output, stderr: `${details}${output.stderr}` };
}

/** The project folder from the agent's own variable. Variables of an enclosing agent do not count. */
function projectIn(env: Env, { projectVariable = '' }: Dialect): string | undefined {
  const folder = env[projectVariable] ?? '';
  return isAbsolute(folder) ? folder : undefined;
}

/** A refusal names its hook, without command line and folder, which `anyhook why --last` shows. A failure already names it. */
export function namedReasons(outcome: Outcome, name: EventName, hooks: readonly Hook[]): Outcome {
  if (outcome.verdict === 'none' || outcome.verdict === 'allow') return outcome;
  const reasons = outcome.reasons.map((reason) => {
    const hook = hooks.find(({ id }) => id === reason.by);
    if (hook === undefined || reason.broken === true) return reason;
    const words = isBuiltIn(hook) ? 'anyhook' : shortLabel(hook).split('\n')[0]!.slice(0, 80);
    return { ...reason, text: `${reason.text}${reason.text === '' ? '' : ' '}[${words}]` };
  });
  return outcomeOf({ ...outcome, reasons }, name);
}

/** Precedence: `--project`, then the event, then the working directory. The agent's own variable may still override it. */
function folderOf(option: string | undefined, cwd: unknown, here = workingFolder): string {
  if (option !== undefined) return resolve(here(), option);
  return typeof cwd === 'string' && cwd !== '' ? resolve(here(), cwd) : here();
}
