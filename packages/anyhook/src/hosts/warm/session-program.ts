/**
 * The process of one session: its environment, its folder, its modules, which stay loaded. What it cannot answer as a fresh
 * program would, it leaves to one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { answerFire, type FireRequest, fireRequest, openHooks } from '../fire/answer.ts';
import type { Hooks } from '../library/hooks.ts';
import { locationsOf } from '../../assembly/folders.ts';
import type { Locations } from '../../canon/dialect.ts';
import { commandsIn } from '../../canon/bash/index.ts';
import type { DiskRecord } from '../../settings/disk-record.ts';
import { BUILT } from './build-mark.ts';
import { lookedAtBy } from './looked.ts';
import { moduleFilesOf } from './module-files.ts';
import type { FromSession, ToSession } from './session-messages.ts';
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

process.on('message', (message: ToSession) => void take(message));
process.on('disconnect', () => process.exit(0));

async function take({ id, argv, text, trace, kept: payload }: ToSession): Promise<void> {
  let request: FireRequest;
  try {
    request = fireRequest(argv, text, trace);
  } catch {
    return say({ kind: 'cold', id }); // it says what is wrong with it
  }
  if (request.isAskedElsewhere) {
    if (!claim(payload, TAKEN_ENDING)) return say({ kind: 'cold', id });
    return say({ kind: 'answer', id, code: 0, stdout: '', stderr: '' });
  }
  const key = JSON.stringify([argv, request.project, request.asked.host]);
  const found = kept.get(key);
  if (found === undefined) open(key, request);
  if (found === undefined || found === 'opening') return say({ kind: 'cold', id });
  if (!found.looked.isSame()) return say({ kind: 'stale', id });
  // From here on nobody else may start its hooks; and nobody has.
  if (!claim(payload, TAKEN_ENDING)) return say({ kind: 'cold', id });
  const printed: string[] = [];
  const { code, stdout, stderr } = await printing.run(printed, () =>
    answerFire(request, found.hooks, { here: found.here }),
  );
  say({ kind: 'answer', id, code, stdout, stderr: printed.join('') + stderr });
}

function open(key: string, request: FireRequest): void {
  kept.set(key, 'opening');
  const here = locationsOf({ cwd: request.project });
  const isWritten = writtenByFires(here);
  lookedAtBy(() => openHooks(request, { mode: 'warm', log: print }), {
    besides: moduleFilesOf,
    written: ({ hooks }) => writtenByHooks(hooks, here),
    isOurs: (path) => path.startsWith(BUILT) || isWritten(path),
  }).then(
    ({ value: hooks, looked }) => kept.set(key, { hooks, here, looked }),
    () => kept.delete(key),
  );
}
