import { AGENT_NAMES } from '../../agents/index.ts';
import type { Define } from './commands.ts';
import { install, type InstallOptions } from './install.ts';

export const define: Define = (command, done) => {
  command
    .argument('<agent>', AGENT_NAMES.join(', '))
    .option('--user', 'for all of your projects (the default)')
    .option('--project', 'for this project only')
    .option('--open', 'let tool calls run where anyhook itself is missing or broken')
    .option('--strict', 'refuse a call when the agent cannot do what hooks ask for')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action((agent: string, options: InstallOptions) => done(install(agent, options)));
};
