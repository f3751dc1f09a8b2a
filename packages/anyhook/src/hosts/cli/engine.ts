/** `anyhook engine status | stop`: the process that stays, so that agents need not start us for every event. */
import { locationsOf } from '../../assembly/folders.ts';
import { printJson, say } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import { buildMark } from '../warm/build-mark.ts';
import { engineFolder } from '../warm/engine-folder.ts';
import type { EngineStatus } from '../warm/engine.ts';
import { askStatus } from '../warm/owner.ts';
import { enginePlaces, obstacleTo } from '../warm/places.ts';
import { hasStopped, stopEngine } from '../warm/stop.ts';
import { isEngineOff } from '../warm/switched-off.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly json?: boolean;
}
const ANSWER_MS = 2000;
/** Hooks that run now are waited for, not for ever. */
const STOP_MS = 10_000;

export const define: Define = (command, done) => {
  command
    .argument('<what>', 'status: does one run, and for whom; stop: end it, the next event starts another')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExit 0: it runs, or was stopped. Exit 1: none runs. Exit 2: wrong use.')
    .action(async (what: string, options: Options) => {
      if (what === 'status') done(await status(options));
      else if (what === 'stop') done(await stop(options));
      else throw new UsageError(`engine: status or stop, not ${JSON.stringify(what)}`);
    });
};

async function status({ json }: Options): Promise<number> {
  const locations = locationsOf({});
  const places = enginePlaces(engineFolder(locations));
  const found = await askStatus(places, ANSWER_MS);
  const isOff = isEngineOff(locations);
  const obstacle = obstacleTo(places);
  const isCurrent = found?.build === buildMark();
  if (json === true)
    printJson({
      running: found !== undefined,
      ...(found !== undefined && { ...found, current: isCurrent }),
      socket: places.socket,
      setting: isOff ? 'off' : 'on',
      ...(obstacle !== undefined && { obstacle }),
    });
  else if (found === undefined)
    say([
      isOff
        ? 'No engine runs: it is switched off ("engine": "off").'
        : obstacle === undefined
          ? 'No engine runs. The next event through a bridge starts one.'
          : `No engine can run here: ${obstacle}.`,
    ]);
  else
    say([
      runningLine(found),
      ...(isCurrent ? [] : ['It is of another build, and makes room at the next event.']),
    ]);
  return found === undefined ? 1 : 0;
}

export const runningLine = (found: EngineStatus): string => {
  const { pid, sessions, events, rssBytes } = found;
  const megabytes = Math.round(rssBytes / 1e6);
  return `An engine runs (pid ${pid}): ${counted(sessions, 'session')}, ${counted(events, 'event')} answered, ${megabytes} MB.`;
};
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

async function stop({ json }: Options): Promise<number> {
  const folder = engineFolder(locationsOf({}));
  const was = stopEngine(folder);
  const stopped = was && (await hasStopped(folder, STOP_MS));
  if (json === true) printJson({ was, stopped });
  else
    say([
      !was
        ? 'No engine runs.'
        : stopped
          ? 'The engine has ended. The next event starts another.'
          : 'The engine takes no more events, and ends when the hooks that run now have answered.',
    ]);
  return was ? 0 : 1;
}
