/** What `anyhook fire --help` shows. A fire itself goes another road: a parser library would cost more than it. */
import type { Define } from './commands.ts';

export const define: Define = (command) => {
  command
    .argument('[event]', "the event's name, where the payload does not say it")
    .requiredOption('--as <dialect>', 'in whose words the event comes and the answer goes')
    .option('--host <agent>', 'the agent we run in, with its version: its own hooks are left to it')
    .option('--project <folder>', 'the project; default: what the agent says, or the event')
    .option('--deadline-ms <ms>', 'answer within this time, whatever hooks do')
    .option('--strict', 'refuse when the agent cannot do what hooks ask for')
    .option('--trust <hash...>', 'trust exactly this content for this run')
    .option('--json', 'print the whole outcome instead; exit 1 when denied');
};
