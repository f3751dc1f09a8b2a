/** Our own program in a project's `node_modules` is not changed by an agent, and everyday work around it passes. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { GuardedNames } from './guarded-names.ts';
import { makeIdentity } from './identity.ts';
import { packageCode } from './own-package.ts';
import { shellObjection } from './shell-objection.ts';

const project = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-own-package-')));
afterAll(() => rmSync(project, { recursive: true, force: true }));
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
};
put('node_modules/anyhook/package.json', '{"name":"anyhook"}');
put('node_modules/anyhook/dist/index.js', 'export const deny = 1;\n');
put('node_modules/anyhook/dist/bin/anyhook.cjs', '');
put('node_modules/other/index.js', '');
put('src/a.js', '');
put(
  'evil.patch',
  '--- a/node_modules/anyhook/dist/index.js\n+++ b/node_modules/anyhook/dist/index.js\n@@ -1 +1 @@\n-x\n+y\n',
);
put('deep.patch', '--- dist/index.js\n+++ dist/index.js\n@@ -1 +1 @@\n-x\n+y\n');
put('good.patch', '--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-x\n+y\n');
put('evil/package.json', '{"name":"anyhook","version":"9.9.9"}');
put('good/package.json', '{"name":"good"}');
put('trap/anyhook/dist/index.js', '');
put('trap/node_modules/anyhook/index.js', '');
put('fine/other/index.js', '');
put('patched/patches/anyhook+0.1.0.patch', '');
put('patched/node_modules/anyhook/dist/index.js', '');
put('swapped/package.json', '{"dependencies":{"anyhook":"file:../evil"}}');
put('swapped/node_modules/anyhook/dist/index.js', '');
for (const name of ['evil', 'good']) {
  mkdirSync(join(project, 'pack', name, 'package'), { recursive: true });
  writeFileSync(
    join(project, 'pack', name, 'package/package.json'),
    `{ "name": "${name === 'evil' ? 'anyhook' : 'good'}" }`,
  );
  execFileSync('tar', ['czf', join(project, `${name}.tgz`), '-C', join(project, 'pack', name), 'package']);
}

function judged(command: string, cwd = project): string {
  const code = packageCode(join(cwd, 'node_modules/anyhook/dist'));
  const guarded = { folders: [], files: [], code };
  const identity = makeIdentity(guarded);
  const terms = {
    cwd,
    home: '/home/nobody',
    env: {},
    look: identity.look(),
    guarded: identity.tree,
    code,
    names: new GuardedNames(guarded),
  };
  return shellObjection(command, terms)?.kind ?? 'passes';
}

const PACKAGE = 'node_modules/anyhook';
const DISARMING = [
  `echo x > ${PACKAGE}/dist/index.js`,
  `echo '{}' > ${PACKAGE}/package.json`,
  `sed -i s/deny/allow/ ${PACKAGE}/dist/*.js`,
  `sed -i s/deny/allow/ node_modules/*/dist/*.js`,
  `sed -i s/deny/allow/ node_modules/any*/dist/bin/*`,
  `find node_modules -name '*.js' -exec sed -i s/deny/allow/ {} +`,
  `find . -name index.js -exec sed -i s/deny/allow/ {} \\;`,
  `find . -type f -exec sed -i s/deny/allow/ {} +`,
  `find node_modules -name '*.js' | xargs sed -i s/deny/allow/`,
  `find node_modules -type f | while read f; do sed -i s/deny/allow/ "$f"; done`,
  `grep -rl deny node_modules | xargs sed -i s/deny/allow/`,
  `for f in ${PACKAGE}/dist/*.js; do sed -i s/deny/allow/ $f; done`,
  `for f in node_modules/*/dist/*.js; do echo > "$f"; done`,
  'patch -p1 < evil.patch',
  'patch -p1 -i evil.patch',
  'git apply evil.patch',
  'cat evil.patch | git apply',
  `git apply --directory=${PACKAGE} deep.patch`,
  `cd ${PACKAGE} && patch -p0 < ../../deep.patch`,
  'npm i ./evil.tgz',
  'npm install ./evil',
  'npm i anyhook@file:./evil',
  'npm i anyhook@0.0.1',
  'npm uninstall anyhook',
  'pnpm add anyhook@link:./evil',
  'npm link anyhook',
  `cp -r evil/. ${PACKAGE}/`,
  `rsync -a evil/ ${PACKAGE}/`,
  `tar xzf evil.tgz -C ${PACKAGE}`,
  `rm ${PACKAGE}/dist/index.js`,
  `ln -sf /tmp/x node_modules/.bin/anyhook`,
  `node -e "require('fs').writeFileSync('${PACKAGE}/dist/index.js', '')"`,
  `node -e 'for (const f of fs.globSync("node_modules/*/dist/*.js")) fs.writeFileSync(f, "")'`,
  `python3 -c "open('${PACKAGE}/dist/index.js', 'w')"`,
  `python3 -c "import glob; [open(f, 'w') for f in glob.glob('node_modules/*/dist/*.js')]"`,
  `python3 -c "import os; [os.remove(os.path.join(d, f)) for d, _, fs in os.walk('node_modules') for f in fs]"`,
  `python3 <<'E'\nfrom pathlib import Path\nPath('${PACKAGE}/dist/index.js').write_text('')\nE`,
  `php -r 'file_put_contents("${PACKAGE}/dist/index.js", "");'`,
  `sqlite3 :memory: "select writefile('${PACKAGE}/dist/index.js', '')"`,
  `sed -i s/deny/allow/ $(find node_modules -name '*.js')`,
  'sed -i s/deny/allow/ `grep -rl deny node_modules`',
  `fd -e js . node_modules -x sed -i s/deny/allow/`,
  `rg -l deny node_modules | xargs perl -pi -e s/deny/allow/`,
  'cp -r trap/* node_modules/',
  'cp -a trap/. node_modules',
  'rsync -a trap/ node_modules/',
  'cp -a trap/node_modules .',
  'cp -r trap/anyhook node_modules',
  'npm explore anyhook -- rm -rf dist',
];
const EVERYDAY = [
  'npm install',
  'npm ci',
  'npm i lodash',
  'npm i ./good.tgz',
  'npm i ./good',
  'npm test',
  'rm -rf node_modules',
  'rm -rf node_modules/*',
  'git apply good.patch',
  'patch -p1 < good.patch',
  "find . -name '*.js'",
  "find src -name '*.js' -exec sed -i s/a/b/ {} +",
  "find -L src -name '*.js' -exec sed -i s/a/b/ {} +",
  "find . -name '*.js' -not -path './node_modules/*' -exec sed -i s/a/b/ {} +",
  "find . -name '*.pyc' -exec rm {} +",
  'grep -rl deny src | xargs sed -i s/deny/allow/',
  'grep -r deny node_modules',
  'grep -rl deny . --exclude-dir=node_modules | xargs sed -i s/a/b/',
  'sed -i s/a/b/ src/*.js',
  'cat node_modules/anyhook/package.json',
  'npx anyhook list',
  `node -e "console.log(require('./${PACKAGE}/package.json').version)"`,
  `node -e "require('fs').writeFileSync('out.json', JSON.stringify(require('anyhook/package.json')))"`,
  `python3 -c "open('node_modules/other/index.js', 'w')"`,
  `python3 -c "import pathlib; [p.write_text('') for p in pathlib.Path('src').rglob('*.js')]"`,
  `sed -i s/a/b/ $(git ls-files '*.js')`,
  `sed -i s/a/b/ $(find src -name '*.js')`,
  'fd -e js . src -x sed -i s/a/b/',
  'rg -l foo src | xargs sed -i s/a/b/',
  'rg -l foo | xargs sed -i s/a/b/',
  'cp -r fine/* node_modules/',
  'rsync -a fine/ out/',
  'npx patch-package',
  'npm explore other -- npm test',
];

describe('our own program in node_modules', () => {
  test.each(DISARMING)('is not changed by %s', (command) => {
    expect(judged(command)).not.toBe('passes');
  });
  test.each(EVERYDAY)('allows everyday work: %s', (command) => {
    expect(judged(command)).toBe('passes');
  });
  test('is not replaced by an install if the manifest was edited before', () => {
    expect(judged('npm install', join(project, 'swapped'))).toBe('refused');
  });
  test.each(['npm install', 'npx patch-package'])(
    'is not patched by %s if the project contains a patch for it',
    (command) => {
      expect(judged(command, join(project, 'patched'))).toBe('refused');
    },
  );
  test('only the build is protected in a checkout', () => {
    expect(packageCode('/src/anyhook/packages/anyhook/dist')).toEqual(['/src/anyhook/packages/anyhook/dist']);
  });
});
