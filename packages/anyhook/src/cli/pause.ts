import { print, printJson, say } from '../console/print.ts';
import { durationMs, UsageError } from '../console/usage.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { localTime } from '../render/local-time.ts';
import { isManagedThere, MANAGED } from '../settings/managed.ts';
import {
  endPause,
  LONGEST_PAUSE_MS,
  type Pause,
  pauseFileIn,
  readPause,
  writePause,
} from '../settings/pause.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .argument('[duration]', 'Such as 90s, 15m or 2h; at most 1d', '15m')
    .option('--json', 'Print JSON')
    .action((duration: string, options: Options) => done(pause(duration, options)));
};

export const defineResume: Define = (command, done) => {
  command.option('--json', 'Print JSON').action((options: Options) => done(resume(options)));
};

function pause(duration: string, { json }: Options): number {
  const ms = durationMs('pause', duration);
  if (ms > LONGEST_PAUSE_MS) throw new UsageError(`pause: ${duration} is longer than the maximum of 1d`);
  checkPerson('pause', process.env);
  const now = Date.now();
  const untilMs = now + ms;
  const until = new Date(untilMs).toISOString();
  announce(`all hooks paused until ${until}`);
  writePause(pauseFile(), { sinceMs: now, untilMs });
  if (json === true) printJson({ paused: true, until });
  else
    say([
      `No hook${isManagedThere(MANAGED) ? ' but your organisation’s' : ''} is asked until ${localTime(untilMs)}, in any project. Sooner: anyhook resume`,
    ]);
  return 0;
}

/**
 * Enabling hooks is harmless, but an agent that toggles them is not, so the same rule applies. Exits with 1 if nothing was
 * paused.
 */
function resume({ json }: Options): number {
  checkPerson('resume', process.env);
  const was = pauseNow() !== undefined;
  endPause(pauseFile());
  if (json === true) printJson({ paused: false, was });
  else print([was ? 'Hooks run again.' : 'Nothing was paused: hooks run.']);
  return was ? 0 : 1;
}

/** Undefined if hooks are not paused. */
export const pauseNow = (): Pause | undefined => readPause(pauseFile(), Date.now());

const pauseFile = (): string => pauseFileIn(foldersOf(locationsOf({})).data);
