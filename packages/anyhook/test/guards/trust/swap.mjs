/**
 * The second process of the race. Each line of its input is a project and its files; it swaps their content between what
 * was trusted and something else, by writing and by renaming, as fast as it can, until the next line comes.
 */

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** @type {{ root: string, files: [string, string][] } | undefined} */
let now;
createInterface({ input: process.stdin }).on('line', (line) => {
  now = JSON.parse(line);
  process.stdout.write('ready\n');
});

const attempt = (/** @type {() => void} */ act) => {
  try {
    act();
  } catch {
    // The project is being put away: the next line names another.
  }
};

function swap() {
  for (const word of ['NEW', 'OLD']) {
    for (const [name, text] of now?.files ?? []) {
      const path = join(now?.root ?? '', name.replace(/\*$/, ''));
      const mode = name.endsWith('*') ? 0o755 : 0o644;
      const content = text.replaceAll('OLD', word);
      attempt(() => writeFileSync(path, content, { mode }));
      attempt(() => {
        writeFileSync(`${path}.swap`, content, { mode });
        renameSync(`${path}.swap`, path);
      });
    }
  }
}

(function again() {
  for (let i = 0; i < 20; i++) swap();
  setImmediate(again);
})();
