/** The sets of hooks that `anyhook init --set` writes, into the package: `<name>=<folder>`, seen from the package's folder. */

import { cpSync, rmSync } from 'node:fs';

for (const set of process.argv.slice(2)) {
  const [name, from = ''] = set.split('=');
  const to = `dist/sets/${name}`;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (file) => !file.endsWith('README.md') });
}
