import type { Define } from './commands.ts';
import { log, type LogOptions } from './log.ts';

export const define: Define = (command, done) => {
  command
    .option('--session <id>', 'of one session')
    .option('--hook <text>', 'that a hook took part in: its id, its name or its file')
    .option('--verdict <outcome>', 'allow, ask, defer, deny or none')
    .option('--event <event>', 'an event of the canon, such as tool.before')
    .option('--since <when>', 'a duration such as 2h, or a date')
    .option('--last <count>', 'at most so many, the newest (default: 50)')
    .option('--follow', 'and go on with what happens from now on')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'one record per line, as JSON')
    .action(async (options: LogOptions) => done(await log(options)));
};
