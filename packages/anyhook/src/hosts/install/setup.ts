/** Where we are, for files that must find us again. */
import { fileURLToPath } from 'node:url';
import type { Setup } from '../../agents/shared/bridge.ts';
import { ownProgram, runtimeFacts } from '../../runners/own-program.ts';
import { usableNc } from '../warm/usable-nc.ts';

/** Bridges start us with a Node, also where `install` itself runs on something else. */
function nodePath(): string {
  const program = ownProgram(runtimeFacts(), { but: 'bun' });
  return 'missing' in program ? process.execPath : program.node;
}

const ROOT = new URL('../../../', import.meta.url);

export function setupFor(failure: Setup['failure'], how: Pick<Setup, 'strict'> = {}): Setup {
  return {
    node: nodePath(),
    bin: fileURLToPath(new URL('dist/bin/anyhook.cjs', ROOT)),
    nc: usableNc(),
    moduleUrl: new URL('dist/hosts/in-process/open.js', ROOT).href,
    failure,
    ...how,
  };
}
