import { type CommandRunner, openCommandRunner } from '../runners/command/index.ts';
import type { JobRunner } from '../runners/command/job.ts';
import { throughHelper } from '../runners/command/through-helper.ts';

let helper: JobRunner | undefined;
let shared: CommandRunner | undefined;

/**
 * One helper process for the whole program, started with the first command hook. It does not keep the program
 * alive.
 */
export const sharedHelper = (): JobRunner => (helper ??= throughHelper());

/** The runner of all hooks that inherit the program's environment. */
export const sharedCommands = (): CommandRunner => (shared ??= openCommandRunner({ helper: sharedHelper() }));
