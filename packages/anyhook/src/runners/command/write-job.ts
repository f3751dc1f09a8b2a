import { mkdirSync } from 'node:fs';
import type { CommandRequest, Limit } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';
import { sane } from './deadline.mjs';
import { environment } from './environment.ts';
import type { Job } from './job.ts';

/** Settings shared by all runs of a runner. */
export interface JobTerms {
  readonly graceMs: number;
  readonly caps: Job['caps'];
  readonly session: Readonly<Record<string, string | undefined>>;
}

/** Ignores errors, because the hook's own error message is more specific. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // a file is in the way, or the folder is not writable
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

/** Returns true if the job depends on the event, so that no process could be started ahead. */
const isOfOneEvent = ({ files, env }: CommandRequest): boolean =>
  files !== undefined || env?.['TRACEPARENT'] !== undefined;

interface ProgramToStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim?: true;
}

/**
 * Returns the program for a command line or an argument list. The Windows rows have never been run on
 * Windows.
 */
export function programFor(run: WayOf<'command'>['run'], platform: string, comspec?: string): ProgramToStart {
  if ('argv' in run) return { file: run.argv[0], args: run.argv.slice(1) };
  const shell = run.shell ?? (platform === 'win32' ? (comspec ?? 'cmd.exe') : '/bin/sh');
  switch (family(shell)) {
    case 'powershell':
      return { file: shell, args: ['-NoProfile', '-NonInteractive', '-Command', run.line] };
    case 'cmd':
      // `/s` makes cmd strip exactly the outer quotes, whatever is between them.
      return { file: shell, args: ['/d', '/s', '/c', `"${run.line}"`], verbatim: true };
    case 'posix':
      return { file: shell, args: ['-c', run.line] };
  }
}

function family(shell: string): 'posix' | 'powershell' | 'cmd' {
  const name = shell
    .split(/[\\/]/)
    .at(-1)!
    .toLowerCase()
    .replace(/\.exe$/, '');
  if (name === 'pwsh' || name === 'powershell') return 'powershell';
  return name === 'cmd' ? 'cmd' : 'posix';
}
