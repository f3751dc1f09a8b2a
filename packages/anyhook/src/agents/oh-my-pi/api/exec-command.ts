import { execProgram } from './run-program.ts';
import type { ExecOptions, ExecResult } from './types/index.ts';

/**
 * Runs a program with arguments, without a shell. Never rejects: a failure to start is `code` -1 with the reason in
 * stderr.
 */
export const execCommand = (
  command: string,
  args: readonly string[],
  cwd: string,
  options: ExecOptions = {},
): Promise<ExecResult> => execProgram({ ...options, argv: [command, ...args], cwd: options.cwd ?? cwd });
