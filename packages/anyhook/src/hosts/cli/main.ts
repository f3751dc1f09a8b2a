import { ending } from './ending.ts';
import { runCommandLine } from './program.ts';

/** Everything but a fire. */
export const main = (argv: readonly string[]): Promise<void> => ending(() => runCommandLine(argv), 'end');
