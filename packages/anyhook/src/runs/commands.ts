/** The command runner, loaded when the first hook needs one: a fire that runs no command does not pay for it. */
import type { CommandRunner } from '../runners/command/index.ts';

export interface Commands {
  ready(): Promise<CommandRunner>;
  /** Only after `ready`: a hook fired at the very end must start before the program is gone. */
  now(): CommandRunner;
  close(): Promise<void>;
}

/**
 * All hooks of a program are started by one helper process. `env`: what they inherit; without it, the environment of the
 * program.
 */
export function lazyCommands(env: Readonly<Record<string, string | undefined>> | undefined): Commands {
  let runner: CommandRunner | undefined;
  return {
    async ready() {
      if (runner !== undefined) return runner;
      const { sharedCommands, sharedHelper } = await import('./shared-commands.ts');
      if (env === undefined) return (runner ??= sharedCommands());
      const { openCommandRunner } = await import('../runners/command/index.ts');
      return (runner ??= openCommandRunner({ env, helper: sharedHelper() }));
    },
    now() {
      if (runner === undefined) throw new TypeError('the command runner is not loaded');
      return runner;
    },
    async close() {
      if (env !== undefined) await runner?.close();
    },
  };
}
