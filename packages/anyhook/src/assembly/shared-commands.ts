import { type CommandRunner, openCommandRunner } from '../runners/command/index.ts';

let shared: CommandRunner | undefined;

/** One helper process for a whole program, started with the first command hook. It keeps nobody alive. */
export const sharedCommands = (): CommandRunner => (shared ??= openCommandRunner());
