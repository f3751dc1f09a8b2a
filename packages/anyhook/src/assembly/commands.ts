/** The command runner, loaded when the first hook needs one: a fire that runs no command does not pay for it. */
import type { HostMode } from './options.ts';
import type { CommandRunner } from '../runners/command/index.ts';

export interface Commands {
  ready(): Promise<CommandRunner>;
  /** Only after `ready`: a hook fired at the very end must start before the program is gone. */
  now(): CommandRunner;
  close(): Promise<void>;
}

export interface CommandsOptions {
  readonly mode: HostMode;
  /** What hooks inherit; without it, the environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined;
}

/** A program that stays shares one helper process among all its hooks, unless it wants an environment of its own. */
export function lazyCommands({ mode, env }: CommandsOptions): Commands {
  const isShared = mode === 'long-lived' && env === undefined;
  let runner: CommandRunner | undefined;
  return {
    async ready() {
      if (runner !== undefined) return runner;
      if (isShared) {
        const { sharedCommands } = await import('./shared-commands.ts');
        return (runner ??= sharedCommands());
      }
      const { openCommandRunner } = await import('../runners/command/index.ts');
      return (runner ??= openCommandRunner({
        mode: mode === 'one-shot' ? mode : 'helper',
        ...(env && { env }),
      }));
    },
    now() {
      if (runner === undefined) throw new TypeError('the command runner is not loaded');
      return runner;
    },
    async close() {
      if (!isShared) await runner?.close();
    },
  };
}
