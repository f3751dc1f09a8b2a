import { mkdirSync } from 'node:fs';
import type { CommandRequest, Limit } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';
import { sane } from './deadline.mjs';
import { environment } from './environment.ts';
import type { Job } from './job.ts';
import { programFor } from './shell.ts';

/** What is the same for all runs of a runner. */
export interface JobTerms {
  readonly graceMs: number;
  readonly caps: Job['caps'];
  readonly session: Readonly<Record<string, string | undefined>>;
}

/** Where it cannot be made the hook finds that out, and says so better than we could. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // a file stands in its way, or nobody may write there
  }
}

export function writeJob(way: WayOf<'command'>, request: CommandRequest, limit: Limit, terms: JobTerms): Job {
  for (const folder of way.folders ?? []) makeFolder(folder);
  const { env, unset } = environment(way, request, terms.session);
  return {
    ...programFor(
      request.argv === undefined ? way.run : { argv: request.argv },
      process.platform,
      terms.session['ComSpec'],
    ),
    cwd: way.cwd ?? request.cwd,
    env,
    ...(request.files !== undefined && { files: request.files }),
    ...(request.exports !== undefined && { exports: request.exports }),
    timeoutMs: sane(limit.timeoutMs),
    graceMs: terms.graceMs,
    caps: terms.caps,
    ...(way.warm === 'prespawn' && !isOfOneEvent(request) && { prespawn: true as const }),
    ...(unset.length > 0 && { notes: { unset } }),
  };
}

/** No program could have been started for it before it came. */
const isOfOneEvent = ({ files, env }: CommandRequest): boolean =>
  files !== undefined || env?.['TRACEPARENT'] !== undefined;
