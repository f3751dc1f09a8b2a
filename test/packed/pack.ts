/** Packs the built package as `npm publish` would and unpacks it where its dependencies can be resolved. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'packages/anyhook');
const CACHE = join(ROOT, 'node_modules/.cache/packed');

/** Below `node_modules`, so that Node loads its files and test runners ignore them. */
export const PACKED = join(CACHE, 'node_modules/anyhook');

export function unpack(): void {
  if (!existsSync(join(PACKAGE, 'dist')))
    throw new Error("packages/anyhook is not built: run 'npm run build'.");
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(PACKED, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', CACHE], {
    cwd: PACKAGE,
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(CACHE, filename), '--strip-components=1', '-C', PACKED]);
}
