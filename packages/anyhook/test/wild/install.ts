/** Installs each package into a folder of its own, without its scripts and without what its agent brings along. */
import { installInto } from '../clients/install.ts';
import { packages } from '../clients/packages.ts';
import { folderOf, WILD } from './packages.ts';

export default async function install(): Promise<void> {
  const clients = await packages();
  for (const client of ['pi', 'bun', 'node22'])
    if (clients[client] !== undefined) installInto(client, clients[client]);
  for (const wild of WILD)
    installInto(folderOf(wild), [`${wild.name}@${wild.version}`], ['--legacy-peer-deps']);
}
