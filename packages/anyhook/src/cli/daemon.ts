/** `anyhook daemon status | stop | run`: the background process that answers events of agents. */

import { setTimeout as pause } from 'node:timers/promises';
import { printJson, say } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import { daemonState, endIfUnresponsive, stopDaemon } from '../daemon/ask-daemon.ts';
import type { DaemonState } from '../daemon/frames.ts';
import { type DaemonPlace, daemonPlaceOf, daemonObstacle } from '../daemon/place.ts';
import { OWN_PROGRAM } from '../daemon/program-mark.ts';
import { isDaemonOff } from '../daemon/setting.ts';
import { locationsOf } from '../gather/folders.ts';
import { readOwn } from '../settings/own-file.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly json?: boolean;
}
const ANSWER_MS = 2000;
/** Hooks that run now are waited for, but not forever. */
const STOP_MS = 10_000;

export const define: Define = (command, done) => {
  command
    .argument('<action>', 'status, stop, or run (what clients start)')
    .option('--json', 'Print JSON')
    .addHelpText('after', '\nExit 0: running, or stopped. Exit 1: not running. Exit 2: wrong use.')
    .action(async (action: string, options: Options) => {
      if (action === 'status') done(await status(options));
      else if (action === 'stop') done(await stop(options));
      else if (action === 'run') await run();
      else throw new UsageError(`daemon: unknown action ${JSON.stringify(action)}; use status, stop or run`);
    });
};

async function run(): Promise<never> {
  const { runDaemon } = await import('../daemon/run-daemon.ts');
  process.exit(await runDaemon());
}

async function status({ json }: Options): Promise<number> {
  const locations = locationsOf({});
  const place = daemonPlaceOf(locations);
  const found = await daemonState(place, ANSWER_MS);
  const state = typeof found === 'object' ? found : undefined;
  const isOff = isDaemonOff(locations);
  const obstacle = daemonObstacle(place);
  const isCurrent = state?.program === OWN_PROGRAM;
  const crash = readOwn(place.crash)?.toString();
  if (json === true)
    printJson({
      running: state !== undefined,
      ...(state !== undefined && { ...state, current: isCurrent }),
      ...(found === 'silent' && { responding: false }),
      socket: place.socket,
      setting: isOff ? 'off' : 'on',
      ...(crash !== undefined && { crash }),
      ...(obstacle !== undefined && { obstacle }),
    });
  else if (state !== undefined)
    say([
      stateLine(state),
      ...(isCurrent ? [] : ['It belongs to another build of anyhook and ends at the next event.']),
      ...crashLines(place, crash),
    ]);
  else say([absence(found, isOff, obstacle), ...crashLines(place, crash)]);
  return state === undefined ? 1 : 0;
}

/** The first line of what the last crash left behind. */
const crashLines = ({ crash: file }: DaemonPlace, crash: string | undefined): readonly string[] =>
  crash === undefined
    ? []
    : [`An earlier daemon crashed: ${crash.split('\n')[0]}`, `All of it is in ${file}`];

function absence(found: unknown, isOff: boolean, obstacle: string | undefined): string {
  if (found === 'silent')
    return 'The daemon does not answer. Stop it with: anyhook daemon stop. The next event starts another.';
  if (isOff) return 'The daemon is switched off by "daemon": "off" in your hooks.json.';
  if (obstacle !== undefined) return `No daemon can run: ${obstacle}.`;
  return 'The daemon is not running. The next event of an agent starts it.';
}

export function stateLine({ pid, sessions, events, rssBytes }: DaemonState): string {
  const megabytes = Math.round(rssBytes / 1e6);
  return `The daemon is running (pid ${pid}): ${counted(sessions, 'session')}, ${counted(events, 'event')} answered, ${megabytes} MB.`;
}
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

async function stop({ json }: Options): Promise<number> {
  const place = daemonPlaceOf(locationsOf({}));
  const reply = await stopDaemon(place, ANSWER_MS);
  if (reply === 'silent') await endIfUnresponsive(place, ANSWER_MS);
  const wasRunning = reply !== 'none';
  const stopped = wasRunning && (await hasStopped(place));
  if (json === true) printJson({ was: wasRunning, stopped });
  else if (!wasRunning) say(['The daemon is not running.']);
  else if (stopped) say(['The daemon has stopped. The next event of an agent starts another.']);
  else say(['The daemon takes no new events and ends when the running hooks have answered.']);
  return wasRunning ? 0 : 1;
}

const LOOK_EVERY_MS = 20;
async function hasStopped(place: DaemonPlace): Promise<boolean> {
  for (const until = performance.now() + STOP_MS; performance.now() < until; await pause(LOOK_EVERY_MS))
    if ((await daemonState(place, ANSWER_MS)) === 'none') return true;
  return false;
}
