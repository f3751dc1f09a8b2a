/** Where we are, for files that must find us again. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Setup } from '../../agents/shared/bridge.ts';
import { usableNc } from '../warm/usable-nc.ts';

const ROOT = new URL('../../../', import.meta.url);

export function setupFor(failure: Setup['failure'], how: Pick<Setup, 'strict'> = {}): Setup {
  const { bin } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    bin: { anyhook: string };
  };
  return {
    node: process.execPath,
    bin: fileURLToPath(new URL(bin.anyhook, ROOT)),
    nc: usableNc(),
    moduleUrl: new URL('dist/hosts/in-process/open.js', ROOT).href,
    failure,
    ...how,
  };
}
