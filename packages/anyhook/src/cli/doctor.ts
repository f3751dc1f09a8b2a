import { doctor, type DoctorOptions } from '../doctor/doctor.ts';
import type { Define } from './commands.ts';

export const define: Define = (command, done) => {
  command
    .argument('[agent]', 'with --probe: only this one')
    .option(
      '--probe',
      'start each agent that has our bridge, with a home of its own and a model on loopback, and see whether a refusal holds',
    )
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExit 0: all is well. Exit 1: something was found. Exit 2: wrong use.')
    .action(async (agent: string | undefined, options: DoctorOptions) => done(await doctor(agent, options)));
};
