/** Waits for full streams and for abandoned calls. */

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Undefined if the stream accepts more. A broken stream accepts nothing, so waiting for it is pointless. */
export const fullOf = (stream: Writable): Promise<void> | undefined =>
  stream.writableNeedDrain && !stream.destroyed
    ? Promise.race(['drain', 'close', 'error'].map((event) => once(stream, event))).then(
        () => {},
        () => {},
      )
    : undefined;

export function holdBack(stream: Readable, until: Promise<void>): void {
  if (stream.isPaused()) return; // paused by another caller that waits for the same
  stream.pause();
  void until.then(() => stream.resume());
}

export const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
