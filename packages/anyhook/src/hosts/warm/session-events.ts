/**
 * The process of one session: its environment, its folder, its modules, which stay loaded. What it cannot answer as a fresh
 * program would, it leaves to one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { NativeOutput } from '../console/speak.ts';
import { answerFire, type FireRequest, fireRequest, openHooks } from '../fire/answer.ts';
import type { Hooks } from '../library/hooks.ts';
import { locationsOf } from '../../assembly/folders.ts';
import type { Locations } from '../../canon/dialect.ts';
import { commandsIn } from '../../canon/bash/index.ts';
import type { DiskRecord } from '../../settings/disk-record.ts';
import { BUILT } from './build-mark.ts';
import { lookedAtBy } from './looked.ts';
import { moduleFilesOf } from './module-files.ts';
import { currentCheck } from './current.ts';
import { type DirectEvent, DirectLine } from './direct-line.ts';
import { enginePlaces } from './places.ts';
import type { FromSession, WarmEvent, ToSession } from './session-messages.ts';
import { claim, TAKEN_ENDING } from './spool.ts';
import { writtenByFires, writtenByHooks } from './written.ts';

interface KeptHooks {
  readonly hooks: Hooks;
  /** Found out when they were opened: what it hangs on is among what was looked at. */
  readonly here: Required<Locations>;
  readonly looked: DiskRecord;
}

/** What is printed while an event is answered, by whomever: on the cold way all of it goes to standard error. */
const printing = new AsyncLocalStorage<string[]>();
const print = (text: string): void => void printing.getStore()?.push(text);
for (const stream of [process.stdout, process.stderr])
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    print(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const written = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (written !== undefined) queueMicrotask(written);
    return true;
  }) as typeof stream.write;

// Large, and otherwise loaded by the first event, which shall not wait for it; nor for the parser of commands.
void import('../../assembly/self-protection/shell.ts');
commandsIn('true');

const kept = new Map<string, KeptHooks | 'opening'>();
const say = (message: FromSession): void => void process.send?.(message);

/** As every client of this session has it, whatever modules make of ours: on the cold way an event is read before they are. */
const ENV = { ...process.env };
const places = enginePlaces(process.argv[2]!);
const line = new DirectLine({
  places,
  isCurrent: currentCheck(places, process.argv[3]!),
  take: takeDirectly,
});
let [underWay, isEnding, directly] = [0, false, 0];

/** Hears the engine, and is gone when it is. */
export function serveSession(): void {
  process.on('message', (message: ToSession) => {
    if (message.kind === 'event') void take(message, message.id);
    else if (message.kind === 'listen') line.listen(message.agent, message.key);
    else {
      isEnding = true;
      endWhenDone();
    }
  });
  process.on('disconnect', () => process.exit(0));
}

const endWhenDone = (): void => void (isEnding && underWay === 0 && process.disconnect());

async function take(event: WarmEvent, id: number): Promise<void> {
  const start = readyFor(event);
  if (typeof start === 'string') return say({ kind: start, id });
  // From here on nobody else may start its hooks; and nobody has.
  if (!claim(event.kept, TAKEN_ENDING)) return say({ kind: 'cold', id });
  say({ kind: 'answer', id, ...(await start()) });
  done();
}
function takeDirectly(pid: number, event: WarmEvent): DirectEvent | undefined {
  const start = isEnding ? 'cold' : readyFor(event);
  if (typeof start === 'string') return undefined; // the engine sees to it, for this event and the next
  if (!claim(event.kept, TAKEN_ENDING)) return { answer: Promise.resolve('cold'), onSaid: () => {} };
  const id = --directly;
  // Before they run: should they never come back, the engine knows whose event it was.
  say({ kind: 'took', id, pid, argv: event.argv });
  const answer = start();
  return {
    answer,
    onSaid: () =>
      void answer.then((said) => {
        say({ kind: 'answer', id, ...said });
        done();
      }),
  };
}
function done(): void {
  underWay--;
  endWhenDone();
}

/** What starts the hooks of this event, where nothing speaks against it. */
function readyFor({ argv, text, trace }: WarmEvent): 'cold' | 'stale' | (() => Promise<NativeOutput>) {
  let request: FireRequest;
  try {
    request = fireRequest(argv, text, ENV, trace);
  } catch {
    return 'cold'; // it says what is wrong with it
  }
  if (request.isAskedElsewhere) return counted(() => Promise.resolve({ code: 0, stdout: '', stderr: '' }));
  const key = JSON.stringify([argv, request.project, request.asked.host, request.left]);
  const found = kept.get(key);
  if (found === undefined) open(key, request);
  if (found === undefined || found === 'opening') return 'cold';
  if (!found.looked.isSame()) return 'stale';
  return counted(async () => {
    const printed: string[] = [];
    const { code, stdout, stderr } = await printing.run(printed, () =>
      answerFire(request, found.hooks, { here: found.here }),
    );
    return { code, stdout, stderr: printed.join('') + stderr };
  });
}
const counted =
  <T>(start: () => Promise<T>): (() => Promise<T>) =>
  () => {
    underWay++;
    return start();
  };

function open(key: string, request: FireRequest): void {
  kept.set(key, 'opening');
  const here = locationsOf({ cwd: request.project });
  const isWritten = writtenByFires(here);
  lookedAtBy(() => openHooks(request, { log: print }), {
    besides: moduleFilesOf,
    written: ({ hooks }) => writtenByHooks(hooks, here),
    isOurs: (path) => path.startsWith(BUILT) || isWritten(path),
  }).then(
    ({ value: hooks, looked }) => kept.set(key, { hooks, here, looked }),
    () => kept.delete(key),
  );
}
