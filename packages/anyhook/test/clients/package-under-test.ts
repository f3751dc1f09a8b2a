/** Prepares the package for agents, and its client. `CLIENT_KIND=node npm run test:clients` tests the Node client. */

import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CLIENT_KIND: 'native' | 'node' = process.env['CLIENT_KIND'] === 'node' ? 'node' : 'native';
export const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));
const BUILT = join(CHECKOUT, 'packages/anyhook');
const WITHOUT_CLIENT = join(CHECKOUT, '.cache/without-client/anyhook');

export const PACKAGE = CLIENT_KIND === 'native' ? BUILT : WITHOUT_CLIENT;

/** `install` uses the Node client if there is no compiled client beside the package. */
export function preparePackage(): void {
  if (CLIENT_KIND === 'native') return;
  rmSync(WITHOUT_CLIENT, { recursive: true, force: true });
  mkdirSync(WITHOUT_CLIENT, { recursive: true });
  for (const part of ['dist', 'package.json'])
    cpSync(join(BUILT, part), join(WITHOUT_CLIENT, part), { recursive: true });
  symlinkSync(join(BUILT, 'node_modules'), join(WITHOUT_CLIENT, 'node_modules'));
}
