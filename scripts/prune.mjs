/**
 * Takes out of `dist` what no source makes any more: the compiler adds and never removes. Only that, so that a build
 * beside running tests takes nothing from under them. Runs in the folder of a package.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  if (file.startsWith(join('dist', 'bin'))) continue; // made by bundle-cli.mjs
  if (file.startsWith(join('dist', 'sets'))) continue; // copied by copy-sets.mjs
  const source = file.replace(/^dist/, 'src');
  const stem = source.replace(/(\.d)?\.m?[jt]s$/, '');
  if (![source, `${stem}.ts`, `${stem}.mts`, `${stem}.mjs`].some((from) => existsSync(from))) rmSync(file);
}
