/** Each package into a folder of its own, without its scripts and without what its agent brings along. */

import { installInto } from '../clients/install.ts';
import { packages } from '../clients/packages.ts';
import { folderOf, type WildPackage } from './packages.ts';

/** The agents at home with each kind, by their folder in the cache. */
const HOMES: Readonly<Record<WildPackage['kind'], readonly string[]>> = {
  opencode: ['opencode', 'bun'],
  pi: ['pi-library', 'node22'],
  'oh-my-pi': ['oh-my-pi', 'bun'],
  'claude-code': ['node22'],
  'agent-sdk': ['agent-sdk', 'node22'],
};

/** The newest whose library installs: of later ones the registry lacks parts, and only their program is whole. */
export const PI_LIBRARY = '0.87.1';

export async function install(wild: WildPackage): Promise<void> {
  const clients: Readonly<Record<string, readonly string[]>> = {
    ...(await packages()),
    'pi-library': [`@earendil-works/pi-coding-agent@${PI_LIBRARY}`],
  };
  for (const client of HOMES[wild.kind])
    if (clients[client] !== undefined) installInto(client, clients[client]);
  installInto(folderOf(wild), [`${wild.name}@${wild.version}`], ['--legacy-peer-deps']);
}
