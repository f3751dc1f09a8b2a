/** `anyhook completion zsh` prints a script; the script asks `anyhook complete -- …` for what could come next. */
import type { Command } from 'commander';
import { UsageError } from '../console/usage.ts';
import { COMMANDS, type Define } from './commands.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const define: Define = (command, done) => {
  command
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText(
      'after',
      '\nbash: anyhook completion bash > ~/.local/share/bash-completion/completions/anyhook',
    )
    .action(async (shell: string) => {
      if (!(SHELLS as readonly string[]).includes(shell))
        throw new UsageError(
          `completion: unknown shell ${JSON.stringify(shell)}; known are ${SHELLS.join(', ')}`,
        );
      const { default: root } = await import('@bomb.sh/tab');
      root.setup('anyhook', 'anyhook', shell);
      done(0);
    });
};

/** What could come after these words. */
export async function complete(words: readonly string[]): Promise<number> {
  const { commandTree: commandLine } = await import('./program.ts');
  const { default: tab } = await import('@bomb.sh/tab/commander');
  const named = words.find((word) => word in COMMANDS);
  const cli: Command = await commandLine(named === undefined ? [] : [named], () => {});
  const command = cli.commands.find((other) => other.name() === named);
  if (command !== undefined) await (await import('./value-choices.ts')).offerValues(command, words);
  tab(cli, { completionCommandName: 'completions' }).parse([...words]);
  return 0;
}
