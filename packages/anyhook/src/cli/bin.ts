/** The command line. Events of agents go through `anyhook bridge`, which an agent's client starts if there is no daemon. */

import { runCommandLine } from './program.ts';
import { runProgram } from './run-program.ts';

void runProgram(() => runCommandLine(process.argv.slice(2)));
