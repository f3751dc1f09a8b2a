/** The process of the engine: finds out whether it is needed, listens, and ends by itself when nothing comes. */
import { chmodSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'node:net';
import { makeFolder } from '../../settings/make-folder.ts';
import { writeOwn } from '../../settings/own-file.ts';
import { buildMark } from './build-mark.ts';
import { LARGEST_EVENT_BYTES } from './client-line.ts';
import { currentCheck } from './current.ts';
import { makeEngineServer } from './engine.ts';
import { watchQuestions } from './file-client.ts';
import { askStatus, isRunning, ownerIn, startOf } from './owner.ts';
import { enginePlaces, obstacleTo } from './places.ts';

const IDLE_MS = Number(process.argv[3] ?? 30 * 60_000);
const LOOK_EVERY_MS = Math.min(10_000, IDLE_MS);
/** An engine that says nothing for so long is stuck, on a machine however loaded. */
const STUCK_MS = 5000;

const places = enginePlaces(process.argv[2]!);
const build = buildMark();
for (const folder of [places.spool, places.asked, places.direct]) makeFolder(folder);
void begin();

async function begin(): Promise<void> {
  if (obstacleTo(places) === undefined && (await isNeeded())) listen();
  rmSync(places.starting, { force: true });
}

/** Not where one of this build answers. One of another build, or one that is stuck, makes room. */
async function isNeeded(): Promise<boolean> {
  const owner = ownerIn(places.owner);
  if (owner === undefined || !isRunning(owner)) return true;
  const status = await askStatus(places, STUCK_MS);
  if (status?.build === build) return false;
  try {
    process.kill(owner.pid, status === undefined ? 'SIGKILL' : 'SIGTERM');
  } catch {
    // it has ended by itself
  }
  return true;
}

function listen(): void {
  const mask = process.umask(0o077);
  // Under a name of its own first: an engine that ends takes away the name it listened under, which must not be ours.
  const own = `${places.socket}.${process.pid}`;
  rmSync(own, { force: true });
  // Sessions of an engine that was killed are gone with it.
  for (const name of readdirSync(places.direct)) rmSync(join(places.direct, name), { force: true });
  let isOver = false;
  const engine = makeEngineServer({
    places,
    build,
    isCurrent: currentCheck(places, build),
    onOver: () => void end(),
  });
  const server = createServer({ allowHalfOpen: true }, (socket) => engine.accept(socket));
  server.on('error', () => process.exit(1));
  const questions = watchQuestions(places, (bytes, line) => engine.receive(line, bytes), LARGEST_EVENT_BYTES);
  // Without it such clients go the cold way: nobody waits for an answer that does not come.
  questions.on('error', () => questions.close());
  server.listen(own, () => {
    chmodSync(own, 0o600);
    renameSync(own, places.socket);
    writeOwn(places.owner, JSON.stringify({ pid: process.pid, build, started: startOf(process.pid) ?? '' }));
    rmSync(places.starting, { force: true });
  });
  process.umask(mask);
  setInterval(() => {
    engine.rest();
    // Another has its place, or the folder is gone with the home it was in: no client can find this one any more.
    const isFound = ownerIn(places.owner)?.pid === process.pid;
    if (!isFound || engine.idleMs() > IDLE_MS) void end();
  }, LOOK_EVERY_MS);
  process.on('SIGTERM', () => void end());

  /** What is under way is answered; what comes now is the next one's. */
  async function end(): Promise<void> {
    if (isOver) return;
    isOver = true;
    if (ownerIn(places.owner)?.pid === process.pid) {
      rmSync(places.owner, { force: true });
      rmSync(places.socket, { force: true });
    }
    server.close();
    questions.close();
    await engine.close();
    process.exit(0);
  }
}
