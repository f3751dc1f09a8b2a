/** Loads the command runner with the first hook that needs it, to keep other fires fast. */

import type { CommandRunner } from '../runners/command/index.ts';

export interface Commands {
  ready(): Promise<CommandRunner>;
  /** Only valid after `ready`. A hook that is fired at the very end must start synchronously. */
  now(): CommandRunner;
  close(): Promise<void>;
}

/**
 * All hooks of a program share one helper process. `env` is the environment that they inherit. Default: that
 * of the program.
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
