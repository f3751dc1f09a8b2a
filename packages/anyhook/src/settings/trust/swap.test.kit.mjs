/**
 * The second process of the race: swaps a script for another one as fast as it can, by file, by link and by parent
 * folder, until it is killed. Names a script that says `evil` in place of one that says `good`.
 */
import { renameSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? '';
const hooks = join(root, 'hooks');
const script = join(hooks, 'g.sh');
const text = (/** @type {string} */ word) => `#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nsay ${word}\n`;

mkdirSync(join(root, 'other'), { recursive: true });
for (const [name, word] of /** @type {const} */ ([
  ['good', 'good'],
  ['evil', 'evil'],
])) {
  writeFileSync(join(root, `other/${name}.sh`), text(word), { mode: 0o755 });
}
mkdirSync(join(root, 'evil-hooks'), { recursive: true });
writeFileSync(join(root, 'evil-hooks/g.sh'), text('evil'), { mode: 0o755 });
writeFileSync(join(root, 'evil-hooks/lib.sh'), 'say() { echo "evil"; }\n');

const attempt = (/** @type {() => void} */ act) => {
  try {
    act();
  } catch {
    // Whatever state the last swap left: the next one goes on from there.
  }
};

process.stdout.write('ready\n');
for (let round = 0; ; round++) {
  for (const word of ['evil', 'good']) {
    attempt(() => {
      writeFileSync(`${script}.new`, text(word), { mode: 0o755 });
      renameSync(`${script}.new`, script);
    });
    attempt(() =>
      writeFileSync(join(hooks, 'lib.sh'), `say() { echo "${word === 'evil' ? 'evil' : '$1'}"; }\n`),
    );
  }
  attempt(() => {
    symlinkSync('../other/evil.sh', `${script}.link`);
    renameSync(`${script}.link`, script);
  });
  attempt(() => {
    symlinkSync('../other/good.sh', `${script}.link`);
    renameSync(`${script}.link`, script);
  });
  if (round % 5 === 0) {
    attempt(() => renameSync(hooks, `${hooks}.away`));
    attempt(() => symlinkSync('evil-hooks', hooks));
    attempt(() => rmSync(hooks));
    attempt(() => renameSync(`${hooks}.away`, hooks));
  }
}
