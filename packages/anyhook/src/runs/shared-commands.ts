import { type CommandRunner, openCommandRunner } from '../runners/command/index.ts';
import type { JobRunner } from '../runners/command/job.ts';
import { throughHelper } from '../runners/command/through-helper.ts';

let helper: JobRunner | undefined;
let shared: CommandRunner | undefined;

/** One helper process for a whole program, started with the first command hook. It keeps nobody alive. */
export const sharedHelper = (): JobRunner => (helper ??= throughHelper());

/** The runner of everything that inherits the program's own environment. */
export const sharedCommands = (): CommandRunner => (shared ??= openCommandRunner({ helper: sharedHelper() }));
