import type { Define } from './commands.ts';
import { replay, type ReplayOptions } from './replay.ts';

export const define: Define = (command, done) => {
  command
    .argument('[session]', 'a session of the journal, or a journal file; default: the last session')
    .option('--cwd <folder>', 'the project whose hooks are asked; default: where it was recorded')
    .option('--json', 'as JSON')
    .action(async (what: string | undefined, options: ReplayOptions) => done(await replay(what, options)));
};
