/**
 * What clients start: `anyhook bridge <agent>` for one event, and `anyhook daemon run`. An agent waits for both, so neither loads
 * the tree of commands.
 */

import { SpareProcess } from '../daemon/spare-process.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { moveOldState } from '../gather/move-state.ts';
import { runProgram } from './run-program.ts';

async function runBridge(words: readonly string[]): Promise<number> {
  const bridge = await import('./bridge.ts');
  return bridge.runBridge(words);
}

async function runDaemon(configFolder: string): Promise<never> {
  const spare = SpareProcess.startFor(configFolder);
  const daemon = await import('../daemon/run-daemon.ts');
  process.exit(await daemon.runDaemon(spare));
}

const [command, ...words] = process.argv.slice(2);
void runProgram(() => {
  const folders = foldersOf(locationsOf({}));
  moveOldState(folders);
  return command === 'bridge' ? runBridge(words) : runDaemon(folders.config);
});
