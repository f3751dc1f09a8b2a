import { ending } from './ending.ts';
import { runCommandLine } from './program.ts';

<<<<<<< HEAD
const [command, ...rest] = process.argv.slice(2);
if (command === 'fire' && !rest.includes('--help') && !rest.includes('-h'))
  await ending(async () => (await import('./fire.ts')).runFire(rest), 'go on');
else await ending(async () => (await import('./program.ts')).runCommandLine(process.argv.slice(2)), 'end');
=======
/** Everything but a fire. */
export const main = (argv: readonly string[]): Promise<void> => ending(() => runCommandLine(argv));
>>>>>>> main
