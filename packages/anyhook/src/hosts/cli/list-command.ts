import type { Define } from './commands.ts';
import { list } from './list.ts';

export const define: Define = (command, done) => {
  command
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (options: { cwd?: string; json?: boolean }) => done(await list(options)));
};
