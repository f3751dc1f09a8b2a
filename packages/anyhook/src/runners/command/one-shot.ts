import { randomBytes } from 'node:crypto';
import { atExit } from '../at-exit.ts';
import { runChild } from './child.mjs';
import type { JobRunner } from './job.ts';
import { decodeReply } from './raw-reply.mjs';
import { throughHelper } from './through-helper.ts';
import { watchdog } from './watchdog.mjs';

/**
 * Runs jobs straight from this process, for a program that lives for one event. What nobody waits for must not hold
 * such a program up, so it goes to a helper.
 */
export function oneShot(): JobRunner {
  const session = randomBytes(8).toString('hex');
  const away = throughHelper();
  let dog: ReturnType<typeof watchdog> | undefined;
  let takeBack = () => {};
  let lastId = 0;
  const guard = () => {
    if (dog !== undefined || process.platform === 'win32') return dog;
    const fresh = watchdog(session);
    takeBack = atExit(fresh.goodbye);
    return (dog = fresh);
  };
  return {
    async run(job, stdin, how) {
      if (!how.awaited) return away.run(job, stdin, how);
      const mark = `${session}-${++lastId}/`;
      const watching = guard();
      const raw = await runChild(job, stdin === undefined ? undefined : Buffer.from(stdin), {
        mark,
        signal: how.signal,
        onStart: (pid) => watching?.start(pid, mark),
        onEnd: (pid) => watching?.end(pid, mark),
      });
      return decodeReply(raw);
    },
    async close() {
      dog?.close();
      dog = undefined;
      takeBack();
      await away.close();
    },
  };
}
