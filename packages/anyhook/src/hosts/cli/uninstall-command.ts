import { AGENT_NAMES } from '../../agents/index.ts';
import type { Define } from './commands.ts';
import { type InstallOptions, uninstall } from './install.ts';

export const define: Define = (command, done) => {
  command
    .argument('<agent>', AGENT_NAMES.join(', '))
    .option('--user', 'what was installed for all of your projects (the default)')
    .option('--project', 'what was installed for this project')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action((agent: string, options: InstallOptions) => done(uninstall(agent, options)));
};
