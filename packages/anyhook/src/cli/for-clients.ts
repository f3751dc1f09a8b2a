/**
 * What clients start: `anyhook bridge <agent>` for one event, and `anyhook daemon run`. An agent waits for both, so neither loads
 * the tree of commands.
 */

import { runDaemon } from '../daemon/run-daemon.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { moveOldState } from '../gather/move-state.ts';
import { runBridge } from './bridge.ts';
import { runProgram } from './run-program.ts';

const [command, ...words] = process.argv.slice(2);
void runProgram(async () => {
  moveOldState(foldersOf(locationsOf({})));
  return command === 'bridge' ? runBridge(words) : process.exit(await runDaemon());
});
