/** `anyhook fire --as <dialect> [event]`: reads that dialect's payload on stdin, runs all hooks, prints the answer. */

import { fireRequest } from '../fire/answer.ts';
import { fireArguments } from '../fire/arguments.ts';
import { workingFolder } from '../settings/working-folder.ts';
import { answerDirectly, readStdin } from './answer-directly.ts';
import type { Define } from './commands.ts';

export const define: Define = (command, done) => {
  command
    .argument('[event]', 'Name of the event, if the payload does not contain it')
    .requiredOption('--as <dialect>', 'Format of the payload and of the answer')
    .option('--host <agent>', 'Agent that fires the event; it runs its own hooks itself')
    .option('--project <folder>', 'Project folder (default: what the agent or the event names)')
    .option('--deadline-ms <ms>', 'Answer within this time, whatever hooks do')
    .option('--strict', 'Refuse if the agent cannot do what hooks ask for')
    .option('--trust <hash...>', 'Trust exactly this content for this run')
    .option('--json', 'Print the whole outcome; exit 1 if the event was refused')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const words = process.argv.slice(process.argv.indexOf('fire') + 1);
      const caller = { env: process.env, cwd: workingFolder() };
      const request = fireRequest(fireArguments(words), await readStdin(), caller);
      done(await answerDirectly(request));
    });
};
