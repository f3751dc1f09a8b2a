import type { CommandCode } from '../console/error-codes.ts';
import { NO_HOME } from '../gather/folders.ts';
import { safe, safeJson } from '../render/safe.ts';

/** An internal error, as in sysexits.h. */
const EXIT_INTERNAL = 70;
const EXIT_USAGE = 2;

/**
 * Runs the command line. Wrong use and errors of the file system end with one line on stderr and exit code 2; internal errors end
 * with a stack trace and 70. With `--json` the line on stderr is JSON with a code.
 */
export async function runProgram(run: () => Promise<number>): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      // The reader has gone, as after `| head`. Its caller still reads the exit code.
      if (code !== 'EPIPE') process.exit(EXIT_INTERNAL);
    });
  try {
    process.exitCode = await run();
  } catch (error) {
    const { code, message, exitCode } = failureOf(error as Error);
    const line = process.argv.includes('--json')
      ? safeJson({ error: { code, message, exitCode } })
      : `anyhook: ${safe(message)}`;
    process.stderr.write(`${line}\n`);
    process.exitCode = exitCode;
  }
}

interface Failure {
  readonly code: CommandCode;
  readonly message: string;
  readonly exitCode: number;
}

function failureOf(error: Error & { readonly exitCode?: number; readonly errorCode?: CommandCode }): Failure {
  // By name: a class from another bundle may have thrown it.
  if (error.name === 'UsageError')
    return {
      code: error.errorCode ?? 'wrong-use',
      message: error.message,
      exitCode: error.exitCode ?? EXIT_USAGE,
    };
  const system = systemErrorText(error);
  if (system !== undefined) return { code: 'file-system', message: system, exitCode: EXIT_USAGE };
  return { code: 'internal', message: error.stack ?? String(error), exitCode: EXIT_INTERNAL };
}

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is exceeded',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of this path is not a directory',
  EISDIR: 'this is a directory',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
};

/** An error of the file system, which the user can fix, in one line. */
function systemErrorText(error: NodeJS.ErrnoException): string | undefined {
  const { code = '', path, syscall } = error;
  const cause = CAUSES[code];
  if (cause === undefined || path === undefined) return undefined;
  if (path.startsWith(NO_HOME))
    return `$HOME is ${JSON.stringify(process.env['HOME'] ?? '')}, which is not a folder. Point it to your home folder.`;
  const action = syscall === undefined ? 'use' : (ACTIONS[syscall] ?? 'use');
  return `cannot ${action} ${path}: ${cause} (${code}). Check $HOME and the permissions of this path.`;
}

const ACTIONS: Readonly<Record<string, string>> = {
  open: 'open',
  mkdir: 'create',
  stat: 'read',
  lstat: 'read',
  scandir: 'list',
  unlink: 'remove',
  rename: 'replace',
};
