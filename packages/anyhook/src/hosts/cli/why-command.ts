import type { Define } from './commands.ts';
import { why, type WhyOptions } from './why.ts';

export const define: Define = (command, done) => {
  command
    .argument('[event]', 'an event of the canon, such as tool.before')
    .option('--tool <name>', 'the tool, in any agent’s spelling')
    .option('--input <json>', 'its input as JSON')
    .option('--payload <json>', 'the whole payload as JSON, for other events')
    .option('--run', 'ask the hooks for real, and show what each made of it')
    .option('--last', 'what happened to the last event that was recorded')
    .option('--session <id>', 'to the last one of this session')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (event: string | undefined, options: WhyOptions) => done(await why(event, options)));
};
