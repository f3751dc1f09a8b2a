/** `anyhook fire --as <dialect> [event]`: that dialect's payload on stdin, all hooks applied, its answer out. */
import { existsSync, fstatSync, readdirSync, readFileSync } from 'node:fs';
import { DIALECTS } from '../../assemble.ts';
import { foldersOf, locationsOf } from '../../assembly/folders.ts';
import type { Locations } from '../../canon/dialect.ts';
import { outcomeOf, silentOutcome } from '../../canon/outcome.ts';
import { decides } from '../../canon/roles.ts';
import { safe } from '../../views/safe.ts';
import { type NativeOutput, spoken } from '../console/speak.ts';
import { UsageError } from '../console/usage.ts';
import { answerFire, type FireRequest, fireRequest, openHooks } from '../fire/answer.ts';
import type { EngineOrder } from '../fire/arguments.ts';
import { isCall } from '../library/event-of.ts';
import type { Hooks } from '../library/hooks.ts';
import { placesLeft } from '../library/left-files.ts';
import { leftToHost } from '../library/left-to-agent.ts';
import { saying } from '../library/what-is-off.ts';
import { unansweredRuling } from '../library/layers.ts';
import type { Define } from './commands.ts';
import { printAtOnce } from './quick/print-at-once.ts';
import { whenMade } from './quick/when-made.ts';
import type { Question } from '../silence/question.ts';
import { remember } from '../silence/remember.ts';

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

/** The answer is the dialect's own: what it prints and its exit code. */
export async function runFire(
  argv: readonly string[],
  text: string = readStdin(),
  question?: Question,
): Promise<number> {
  const request = fireRequest(argv, text);
  const { asked, event, folder, project, left, isRelayed, isAskedElsewhere } = request;
  if (isAskedElsewhere) return 0;
  const say = keepStdout();
  const end = () => endedByHook(request, say);
  process.once('exit', end);
  const here = locationsOf({ cwd: project });
  const answered = await openAndAnswer(request, here);
  if ('error' in answered) {
    process.off('exit', end);
    return answerFailure(request, answered.error, say);
  }
  const { hooks, said } = answered;
  const isSilence =
    question?.folder === folder &&
    !hooks.wants[event.name] &&
    !asked.json &&
    !isRelayed &&
    hasTime(asked) &&
    !hasSessions(here);
  const order = asked.engine?.word === 'off' ? undefined : asked.engine;
  const isOff = (isSilence || order !== undefined) && (await isSwitchedOff(here));
  if (isSilence) {
    const dialects = DIALECTS.filter((one) => !left.includes(one.name));
    remember({
      question,
      name: event.name,
      dialect: asked.dialect,
      dialects,
      left: [...placesLeft(left, { cwd: project }), ...recordsRead(request)],
      locations: here,
      hooks,
      spoken: said,
      ...(isOff && { engine: 'off' as const }),
    });
  }
  process.off('exit', end);
  say(said.stdout);
  printAtOnce(2, said.stderr);
  if (order !== undefined) await settleEngine(order, isOff);
  return said.code;
}

type Answered = { readonly hooks: Hooks; readonly said: NativeOutput } | { readonly error: Error };

async function openAndAnswer(request: FireRequest, here: Required<Locations>): Promise<Answered> {
  try {
    if (request.asked.engine?.word === 'lost')
      throw new Error('the engine that ran it ended before it had answered');
    const hooks = await openHooks(request, { log: (line) => void process.stderr.write(line), startedMs: 0 });
    const said = await answerFire(request, hooks, { here, afterwards: () => hooks.close(), startedMs: 0 });
    return { hooks, said };
  } catch (error) {
    // Wrong use has its own message and exit code; anything else is a failure of ours.
    if ((error as Error).name === 'UsageError') throw error;
    return { error: error as Error };
  }
}

/**
 * The hooks could not be opened. Tool calls are refused, because a guard may be among the hooks. Everything else passes:
 * a user who cannot send a prompt cannot repair anything.
 */
function answerFailure({ asked, event }: FireRequest, error: Error, print: (text: string) => void): number {
  const why = `anyhook failed before it could run any hook: ${error.message}. Run: anyhook doctor`;
  printAtOnce(2, `anyhook: ${safe(error.stack ?? String(error))}\n`);
  if (asked.json) return 70;
  const isRefused = isCall(event.name) && decides(event.name);
  const ruling = isRefused ? unansweredRuling(event, why) : saying(silentOutcome(event), [why]);
  const { stdout, stderr, code } = spoken(asked.dialect.output.write(outcomeOf(ruling, event.name), event));
  print(stdout);
  printAtOnce(2, stderr);
  return code;
}

/** The agent's own records that say which hooks it runs by itself. */
function recordsRead({ asked, project }: FireRequest): readonly string[] {
  const files: string[] = [];
  if (asked.host !== undefined) leftToHost(asked.host.name, project, (file) => files.push(file));
  return files;
}

/** Something may wait for the next event of a session, whoever listens. */
function hasSessions(locations: Locations): boolean {
  const { sessions } = foldersOf(locations);
  return existsSync(sessions) && readdirSync(sessions).length > 0;
}

/** To remember takes a look at everything again: not in the second half of the time that the agent gives. */
const hasTime = ({ deadlineMs = Infinity }: FireRequest['asked']): boolean =>
  performance.now() < deadlineMs / 2;

/** A module that ends the whole program has not agreed, nor has it taken back what others refuse: nothing was said yet. */
function endedByHook({ asked, event }: FireRequest, say: (text: string) => void): void {
  const why = 'a hook ended the program before the event was answered';
  printAtOnce(2, `anyhook: ${why}\n`);
  const { name } = event;
  const said = asked.json
    ? { stdout: '', stderr: '', code: 70 }
    : spoken(asked.dialect.output.write(outcomeOf(unansweredRuling(event, why), name), event));
  say(said.stdout);
  printAtOnce(2, said.stderr);
  process.exitCode = said.code;
}

async function isSwitchedOff(locations: Locations): Promise<boolean> {
  const { isEngineOff } = await import('../warm/switched-off.ts');
  return isEngineOff(locations);
}

/** For the events to come; nobody waits for it. */
async function settleEngine({ word, folder }: EngineOrder, isOff: boolean): Promise<void> {
  if (isOff) {
    const { stopEngine } = await import('../warm/stop.ts');
    stopEngine(folder);
  } else {
    const { startEngine } = await import('../warm/start.ts');
    startEngine(folder, { isSilent: word === 'replace' });
  }
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
  let write: NodeJS.WriteStream['write'] | undefined;
  whenMade('stdout', (stream) => {
    write = stream.write.bind(stream);
    stream.write = process.stderr.write.bind(process.stderr);
  });
  return (text) => printAtOnce(1, text, (rest) => process.stdout && write?.(rest));
}
