/** `anyhook completion zsh` prints a script; the script runs `anyhook complete -- …` to list the next words. */

import type { Command } from 'commander';
import { UsageError } from '../console/usage.ts';
import { COMMANDS, type Define } from './commands.ts';
import { BASH_COMPLETION } from './completion-bash.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const define: Define = (command, done) => {
  command
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText(
      'after',
      [
        '',
        'bash:  add to ~/.bashrc:  source <(anyhook completion bash)',
        'zsh:   add to ~/.zshrc, after compinit:  source <(anyhook completion zsh)',
        'fish:  anyhook completion fish > ~/.config/fish/completions/anyhook.fish',
      ].join('\n'),
    )
    .action(async (shell: string) => {
      if (!(SHELLS as readonly string[]).includes(shell))
        throw new UsageError(
          `completion: unknown shell ${JSON.stringify(shell)}; known are ${SHELLS.join(', ')}`,
        );
      if (shell === 'bash') {
        process.stdout.write(BASH_COMPLETION);
        return done(0);
      }
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
