/**
 * An npm registry on loopback with our packed packages and their dependencies from `node_modules`, so that an
 * installation is the same as for users and needs no network.
 */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One version of a package: its manifest, and a function that creates its tarball. */
interface Version {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: () => Promise<Buffer>;
}
export interface LoopbackRegistry {
  readonly url: string;
  close(): void;
}

/** `packed` has our tarballs with their folders. */
export async function startRegistry(
  root: string,
  packed: Readonly<Record<string, string>>,
): Promise<LoopbackRegistry> {
  const versions = [
    ...Object.entries(packed).map(([folder, file]) =>
      versionIn(join(root, folder), async () => readFileSync(file)),
    ),
    ...installedIn(root),
  ];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const [name = '', version] = path.split('/-/');
    const found = versions.filter(({ manifest }) => manifest.name === name);
    const wanted = found.find(({ manifest }) => `${manifest.version}.tgz` === version);
    if (wanted !== undefined) return void response.end(await wanted.tarball());
    if (found.length === 0) return void response.writeHead(404).end('{}');
    response.end(JSON.stringify(packument(name, found, `http://${request.headers.host}`)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const packument = (name: string, found: readonly Version[], host: string): object => ({
  name,
  'dist-tags': { latest: found[0]!.manifest.version },
  versions: Object.fromEntries(
    found.map(({ manifest }) => [
      manifest.version,
      { ...manifest, dist: { tarball: `${host}/${name}/-/${manifest.version}.tgz` } },
    ]),
  ),
});

/** All packages in the lock file that are installed, at any depth. */
function installedIn(root: string): Version[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>;
  };
  return Object.entries(packages).flatMap(([path, { link }]) => {
    if (!path.includes('node_modules/') || link === true) return [];
    const folder = join(root, path);
    try {
      return versionIn(folder, () => tarballOf(folder));
    } catch {
      return []; // A package for another platform.
    }
  });
}

const versionIn = (folder: string, tarball: Version['tarball']): Version => ({
  manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Version['manifest'],
  tarball,
});

async function tarballOf(folder: string): Promise<Buffer> {
  const args = ['-czf', '-', '--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', folder, '.'];
  const { stdout } = await run('tar', args, { encoding: 'buffer', maxBuffer: 1 << 28 });
  return stdout;
}
