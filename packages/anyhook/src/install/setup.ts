/** Paths of our own program, for files that must find it again. */

import { pathToFileURL } from 'node:url';
import type { Setup } from '../agents/shared/bridge.ts';
import { clientFor } from '../daemon/client-file.ts';
import { OWN_PROGRAM } from '../daemon/program-mark.ts';
import { ownProgramFile } from '../own-files.mjs';
import { ownProgram, runtimeFacts } from '../runners/own-program.ts';

/** Bridges start us with Node, even if `install` itself runs on another runtime. */
function nodePath(): string {
  const program = ownProgram(runtimeFacts(), { but: 'bun' });
  return 'missing' in program ? process.execPath : program.node;
}

export function setupFor(failure: Setup['failure'], how: Pick<Setup, 'strict'> = {}): Setup {
  return {
    node: nodePath(),
    bin: OWN_PROGRAM,
    client: clientFor(process.platform, process.arch),
    moduleUrl: MODULE_URL,
    failure,
    ...how,
  };
}
const MODULE_URL = pathToFileURL(ownProgramFile('in-process/open')).href;
