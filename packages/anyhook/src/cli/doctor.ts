import { doctor, type DoctorOptions } from '../doctor/doctor.ts';
import type { Define } from './commands.ts';

export const define: Define = (command, done) => {
  command
    .argument('[agent]', 'With --probe: only this agent')
    .option(
      '--probe',
      'Start each agent with a private home and a scripted model, and check that refusals hold',
    )
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .addHelpText('after', '\nExit 0: no problems. Exit 1: problems were found. Exit 2: wrong use.')
    .action(async (agent: string | undefined, options: DoctorOptions) => done(await doctor(agent, options)));
};
