/** The sets of hooks that `anyhook init --set` writes, into the package. Runs in the folder of the package. */
import { cpSync, rmSync } from 'node:fs';

const SETS = { goose: '../../contrib', opta: '../../examples/opta/.opta' };

for (const [name, from] of Object.entries(SETS)) {
  const to = `dist/sets/${name}`;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (file) => !file.endsWith('README.md') });
}
