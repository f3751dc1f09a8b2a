import type { Define } from './commands.ts';
import { resume } from './pause-command.ts';

export const define: Define = (command, done) => {
  command.option('--json', 'as JSON').action((options: { json?: boolean }) => done(resume(options)));
};
