import type { Command } from 'commander';
import type { Define } from './commands.ts';
import { trustAdd, trustList, trustRevoke } from './trust.ts';
import { UsageError } from './usage-error.ts';

interface Options {
  readonly cwd?: string;
  readonly json?: boolean;
  readonly hash?: string[];
}

export const define: Define = (command, done) => {
  command
    .command('list', { isDefault: true })
    .description('what the project asks for, and what was trusted before')
    .allowExcessArguments()
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (options: Options, { args: [word] }: Command) => {
      if (word !== undefined)
        throw new UsageError(
          `trust: unknown command ${JSON.stringify(word)}; known are list, add, revoke, help`,
        );
      done(await trustList(options));
    });
  command
    .command('add')
    .description('trust exactly this content, after showing it')
    .argument('[hash...]', 'as `trust list` shows it; without one, everything is shown and asked for')
    .option('--hash <hash...>', 'the same, for scripts')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (hashes: string[], { hash = [], ...options }: Options) =>
      done(await trustAdd([...hashes, ...hash], options)),
    );
  command
    .command('revoke')
    .description('take trust back')
    .argument('<hash...>', 'as `trust list` shows it')
    .option('--cwd <folder>', 'the project, for a guard that stood in it')
    .option('--json', 'as JSON')
    .action(async (hashes: string[], options: Options) => done(await trustRevoke(hashes, options)));
};
