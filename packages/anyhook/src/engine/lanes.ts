/**
 * Background hooks that must not overtake each other: one after another, in the order in which they were fired. Commands
 * are kept in order by who runs them, because they go on when the program has ended.
 */
import type { Hook } from '../canon/hook.ts';
import type { Parts } from './parts.ts';

/** A lane belongs to an engine; it is gone with it. */
const tails = new WeakMap<Parts, Map<string, Promise<unknown>>>();

/** Begins at once where the lane is free. `work` never rejects. */
export function inLane<T>({ lane, run }: Hook, parts: Parts, work: () => Promise<T>): Promise<T> {
  if (lane === undefined || run.kind === 'command') return work();
  let lanes = tails.get(parts);
  if (lanes === undefined) tails.set(parts, (lanes = new Map()));
  const before = lanes.get(lane);
  const done = before === undefined ? work() : before.then(work);
  lanes.set(lane, done);
  const leave = () => void (lanes.get(lane) === done && lanes.delete(lane));
  void done.then(leave, leave);
  return done;
}
