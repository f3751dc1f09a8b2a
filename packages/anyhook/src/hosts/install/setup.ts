/** Where we are, for files that must find us again. */
import { fileURLToPath } from 'node:url';
import type { Setup } from '../../agents/shared/bridge.ts';
import { usableNc } from '../warm/usable-nc.ts';

const ROOT = new URL('../../../', import.meta.url);

export function setupFor(failure: Setup['failure'], how: Pick<Setup, 'strict'> = {}): Setup {
  return {
    node: process.execPath,
    bin: fileURLToPath(new URL('dist/bin/anyhook.cjs', ROOT)),
    nc: usableNc(),
    moduleUrl: new URL('dist/hosts/in-process/open.js', ROOT).href,
    failure,
    ...how,
  };
}
