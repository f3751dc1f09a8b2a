/**
 * Runs in the release workflow only, before `npm publish`. Checks that every platform package has its binary and names the packages as
 * optional dependencies of `anyhook`. They are not in the repository's own `package.json`: npm refuses a workspace of another
 * platform, and `npm ci` in a clone must not need packages that are not published yet.
 */

import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientFile } from './build.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));

/**
 * The `package.json` of `anyhook` with the optional dependencies of a release.
 * @param {{ version: string }} manifest @param {readonly string[]} platforms
 */
export const withClients = (manifest, platforms) => ({
  ...manifest,
  optionalDependencies: Object.fromEntries(
    platforms.map((platform) => [`@anyhook/client-${platform}`, manifest.version]),
  ),
});

export const PLATFORMS = readdirSync(join(HERE, 'npm')).toSorted();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = PLATFORMS.filter((platform) => !existsSync(clientFile(platform)));
  if (missing.length > 0) throw new Error(`no client was built for ${missing.join(', ')}`);
  for (const platform of PLATFORMS)
    copyFileSync(join(HERE, '../../LICENSE'), join(HERE, 'npm', platform, 'LICENSE'));
  const file = join(HERE, '../anyhook/package.json');
  const manifest = withClients(JSON.parse(readFileSync(file, 'utf8')), PLATFORMS);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
