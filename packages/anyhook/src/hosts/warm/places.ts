/** Where the engine and its clients meet: in folders of the person's own, closed to others. */
import { existsSync, lstatSync, statSync } from 'node:fs';

export interface EnginePlaces {
  readonly folder: string;
  readonly socket: string;
  /** Who listens: pid, build, when it began. */
  readonly owner: string;
  /** What clients have sent, until it is answered: the cold way must be able to read it again. See `spool.ts`. */
  readonly spool: string;
  /** Sockets of sessions' own processes, by the number of the agent that starts their clients. See `direct-line.ts`. */
  readonly direct: string;
  /** Where clients lay down their questions that have no `nc` to ask with. See `file-client.ts`. */
  readonly asked: string;
  /** Held by whoever starts an engine, so that ten agents at once start one. */
  readonly starting: string;
}

/** `sun_path` holds 104 bytes somewhere, its end included; an engine adds its pid while it starts, a session its agent's. */
const LONGEST_SOCKET_BYTES = 92;

/** Put together as they are: who asks the engine needs nothing else of what puts paths in order, which takes a while to come to life. */
export function enginePlaces(folder: string): EnginePlaces {
  return {
    folder,
    socket: `${folder}/socket`,
    owner: `${folder}/owner.json`,
    spool: `${folder}/spool`,
    direct: `${folder}/direct`,
    asked: `${folder}/asked`,
    starting: `${folder}/starting`,
  };
}

/** Who was to start one and did not come to it. */
const STARTING_MS = 20_000;

/** Not by a mark of the future either: somebody has set the clock back. */
export function isBeingStarted({ starting }: EnginePlaces): boolean {
  const since = statSync(starting, { throwIfNoEntry: false })?.mtimeMs;
  return since !== undefined && Math.abs(Date.now() - since) <= STARTING_MS;
}

const SHOWS_ENVIRONMENTS = existsSync('/proc/self/environ');

/** Why no engine can be used here; undefined when it can. */
export function obstacleTo({ folder, socket }: EnginePlaces): string | undefined {
  if (!SHOWS_ENVIRONMENTS) return 'this system does not show the environment of a process';
  if (Buffer.byteLength(socket) > LONGEST_SOCKET_BYTES)
    return `the path of its socket is longer than ${LONGEST_SOCKET_BYTES} bytes: ${socket}`;
  return isClosedToOthers(folder) ? undefined : `${folder} is not yours alone`;
}

/** What is not there yet will be made for the person alone. */
export function isClosedToOthers(folder: string): boolean {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return true;
  return status.isDirectory() && status.uid === process.getuid?.() && (status.mode & 0o077) === 0;
}
