/**
 * Background hooks that must not overtake each other: one after another, in the order in which they were fired. Commands
 * are kept in order by who runs them, because they go on when the program has ended.
 */
import type { Hook } from '../events/hook.ts';
import type { Parts } from './parts.ts';

/** A queue belongs to an engine; it is gone with it. */
const tails = new WeakMap<Parts, Map<string, Promise<unknown>>>();

/** Begins at once where the queue is free. `work` never rejects. */
export function inQueue<T>({ queue, run }: Hook, parts: Parts, work: () => Promise<T>): Promise<T> {
  if (queue === undefined || run.kind === 'command') return work();
  let queues = tails.get(parts);
  if (queues === undefined) tails.set(parts, (queues = new Map()));
  const before = queues.get(queue);
  const done = before === undefined ? work() : before.then(work);
  queues.set(queue, done);
  const leave = () => void (queues.get(queue) === done && queues.delete(queue));
  void done.then(leave, leave);
  return done;
}
