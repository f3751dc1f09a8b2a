/**
 * The process of one session: its environment, its folder, its modules, which stay loaded. It says whether it takes an event
 * before anything runs; what it does not take is answered by the cold way.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { answerFire, type FireRequest, fireRequest, openHooks } from '../fire/answer.ts';
import type { Hooks } from '../library/hooks.ts';
import { locationsOf } from '../../assembly/folders.ts';
import { type Looked, lookedAtBy } from './looked.ts';
import { moduleFilesOf } from './module-files.ts';
import type { FromSession, ToSession } from './session-messages.ts';
import { writtenByFires } from './written.ts';

interface KeptHooks {
  readonly hooks: Hooks;
  readonly looked: Looked;
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

const kept = new Map<string, KeptHooks | 'opening'>();
const waiting = new Map<number, () => void>();
const say = (message: FromSession): void => void process.send?.(message);

process.on('message', (message: ToSession) => {
  if (message.kind === 'go') {
    waiting.get(message.id)?.();
    waiting.delete(message.id);
  } else if (message.kind === 'dropped') waiting.delete(message.id);
  else consider(message);
});
process.on('disconnect', () => process.exit(0));
say({ kind: 'ready' });

function consider({ id, argv, text }: Extract<ToSession, { kind: 'event' }>): void {
  let request: FireRequest;
  try {
    request = fireRequest(argv, text);
  } catch {
    say({ kind: 'cold', id }); // it says what is wrong with it
    return;
  }
  const key = JSON.stringify([argv, request.project]);
  const found = kept.get(key);
  if (found === undefined) open(key, request);
  if (found === undefined || found === 'opening') say({ kind: 'cold', id });
  else if (!found.looked.isSame()) say({ kind: 'stale', id });
  else {
    waiting.set(id, () => void answer(id, request, found.hooks));
    say({ kind: 'taken', id });
  }
}

function open(key: string, request: FireRequest): void {
  kept.set(key, 'opening');
  const isOurs = writtenByFires(locationsOf({ cwd: request.project }));
  lookedAtBy(() => openHooks(request, { mode: 'warm', log: print }), { besides: moduleFilesOf, isOurs }).then(
    ({ value: hooks, looked }) => {
      kept.set(key, { hooks, looked });
      say({ kind: 'open', paths: looked.size });
    },
    () => kept.delete(key),
  );
}

async function answer(id: number, request: FireRequest, hooks: Hooks): Promise<void> {
  const printed: string[] = [];
  const { code, stdout, stderr } = await printing.run(printed, () => answerFire(request, hooks));
  say({ kind: 'answer', id, code, stdout, stderr: printed.join('') + stderr });
}
