import type { Reply } from '../../events/exchange.ts';
import { HelperProcess } from './helper-process.ts';
import type { Job, JobRunner, RunHow } from './job.ts';

/** Runs jobs in a helper process, which is started with the first job and again after it died. */
export function throughHelper(): JobRunner {
  let helper: HelperProcess | undefined;

  const runOnce = (job: Job, stdin: string | undefined, how: RunHow): Promise<Reply> => {
    if (!helper?.isAlive) helper = new HelperProcess();
    return helper.run(job, stdin, how);
  };
  return {
    async run(job, stdin, how) {
      const due = performance.now() + job.timeoutMs;
      try {
        for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
          const reply = await runOnce(job, stdin, how);
          if (!helper?.mayStartLater || how.signal.aborted || performance.now() + waitMs > due) return reply;
          await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
      } catch (error) {
        const detail = `the helper process could not be started: ${(error as Error).message}`;
        return { kind: 'broken', why: { kind: 'not-started', detail } };
      }
    },
    async close() {
      helper?.close();
      helper = undefined;
    },
  };
}
