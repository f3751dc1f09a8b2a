/** `anyhook fire --as <dialect> [event]`: that dialect's payload on stdin, all hooks applied, its answer out. */
import { fstatSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { agentOf } from '../../agents/index.ts';
import { ownHooksOf } from '../../agents/own-hooks.ts';
import { DIALECTS } from '../../assemble.ts';
import type { Dialect } from '../../canon/dialect.ts';
import { locationsOf } from '../../assembly/folders.ts';
import { strictly } from '../../assembly/strictly.ts';
import { type Hook, label } from '../../canon/hook.ts';
import { type Outcome, outcomeOf } from '../../canon/outcome.ts';
import type { EventName } from '../../canon/events.ts';
import { show } from '../../canon/problems.ts';
import { spoken } from '../console/speak.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Define } from './commands.ts';
import { askedIn } from './fire-arguments.ts';
import { eventFrom } from './fire-event.ts';
import { safe, safeJson } from '../../views/safe.ts';
import { folderOf, type Question } from './quick/question.ts';
import { remember } from './quick/remember.ts';

/** What `anyhook fire --help` shows. A fire itself is parsed by hand: loading a parser library would take longer than the fire. */
export const define: Define = (command) => {
  command
    .argument('[event]', "the event's name, where the payload does not say it")
    .requiredOption('--as <dialect>', 'in whose words the event comes and the answer goes')
    .option('--host <agent>', 'the agent we run in, with its version: its own hooks are left to it')
    .option('--project <folder>', 'the project; default: what the agent says, or the event')
    .option('--deadline-ms <ms>', 'answer within this time, whatever hooks do')
    .option('--strict', 'refuse when the agent cannot do what hooks ask for')
    .option('--trust <hash...>', 'trust exactly this content for this run')
    .option('--json', 'print the whole outcome instead; exit 1 when denied');
};

/** What is left of the agent's time when hooks are done: to answer, and to end. The clock runs since our start. */
const MARGIN_MS = 50;

/** The answer is the dialect's own: what it prints and its exit code. With `--json`, the whole outcome and exit 0 or 1. */
export async function runFire(
  argv: readonly string[],
  text: string = readStdin(),
  question?: Question,
): Promise<number> {
  const asked = askedIn(argv);
  const { dialect } = asked;
  // `PWD` is what a shell once said; who started us elsewhere need not have changed it.
  const event = eventFrom(dialect, asked.event, text, { ...process.env, PWD: process.cwd() });
  checkFolder('fire', asked.project, '--project');
  const folder = folderOf(asked.project, event.scene.cwd);
  const project = asked.project === undefined ? (projectIn(process.env, dialect) ?? folder) : folder;
  const say = keepStdout();
  const left = asked.host === undefined ? [] : ownHooksOf(asked.host.name);
  const hooks = await createHooks({
    host: {
      ...(asked.host ?? { name: dialect.name }),
      can: agentOf(asked.host?.name ?? '')?.can ?? dialect.can,
      mode: 'one-shot',
    },
    cwd: project,
    settings: { without: left },
    modules: { strayErrors: 'survive' },
    ...(asked.hashes.length > 0 && { trust: { hashes: asked.hashes } }),
    ...(asked.deadlineMs !== undefined && { limits: { until: asked.deadlineMs - MARGIN_MS } }),
    services: { log: (level, message) => void process.stderr.write(`anyhook: ${level}: ${safe(message)}\n`) },
  });
  const { name, payload, ids, scene, raw } = event;
  const fired = await hooks.fire({
    name,
    payload,
    ids: ids.session === '' ? {} : ids,
    scene: { ...scene, cwd: scene.cwd || project },
    raw,
  });
  await hooks.close();
  const broken = hooks.problems.filter(({ severity }) => severity === 'error').map(show);
  const named = asked.host === undefined ? fired : namedReasons(fired, name, hooks.hooks);
  const told = name === 'session.start' ? toldTo(named, name, broken) : named;
  const outcome = asked.strict ? strictly(told, event) : told;
  if (asked.json) return printWhole(outcome, say);
  const said = spoken(dialect.output.write(outcome, event));
  if (question?.folder === folder && !hooks.wants[name]) {
    const dialects = DIALECTS.filter((one) => !left.includes(one.name));
    remember({
      question,
      name,
      dialect,
      dialects,
      locations: locationsOf({ cwd: project }),
      hooks,
      spoken: said,
    });
  }
  if (said.stdout !== '') say(said.stdout);
  if (said.stderr !== '') process.stderr.write(said.stderr);
  for (const text of broken) process.stderr.write(`anyhook: error: ${safe(text)}\n`);
  return said.code;
}

/** Hooks that could not be read are missed by nobody until it is too late: the person hears of them when a session begins. */
const toldTo = (outcome: Outcome, name: EventName, texts: readonly string[]): Outcome =>
  texts.length === 0
    ? outcome
    : outcomeOf(
        {
          ...outcome,
          said: [...outcome.said, ...texts.map((text) => ({ by: 'host', to: 'person' as const, text }))],
        },
        name,
      );

/** Where the agent says which folder its session is about; only its own word counts, not that of one around it. */
function projectIn(env: NodeJS.ProcessEnv, { projectVariable = '' }: Dialect): string | undefined {
  const told = env[projectVariable] ?? '';
  return isAbsolute(told) ? told : undefined;
}

function printWhole(outcome: Outcome, say: (text: string) => void): number {
  say(`${safeJson(outcome, 2)}\n`);
  return outcome.proceed === 'no' ? 1 : 0;
}

function readStdin(): string {
  try {
    if (fstatSync(0).isCharacterDevice()) return ''; // a terminal would keep us waiting
    return readFileSync(0, 'utf8');
  } catch (error) {
    if (['EAGAIN', 'EOF', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw new UsageError(`fire: standard input cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Modules that run in this process may print, and standard output is for the answer alone: from here on their words go to
 * standard error. What comes back is the way to the real one.
 */
function keepStdout(): (text: string) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text) => void write(text);
}

/** In another agent nobody sees our journal: a refusal says whose it is, with file and line. A failure says so already. */
function namedReasons(outcome: Outcome, name: EventName, hooks: readonly Hook[]): Outcome {
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
