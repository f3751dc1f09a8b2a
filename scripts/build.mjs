/**
 * `dist` of `anyhook`, anew: its code in few files, and at the same time its types. Nothing is checked here, that is
 * `npm run types`. Runs in the folder of the package.
 */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** @param {string} name @param {readonly string[]} words */
const script = async (name, ...words) => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  await run(process.execPath, [file, ...words]).catch((error) => {
    process.stderr.write(error.stdout + error.stderr);
    process.exit(1);
  });
};

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
// What `anyhook install` copies where there is no native client.
cpSync('../client/src/node-client.cjs', 'dist/node-client.cjs');
await Promise.all([
  script(
    '../node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.json',
    '--emitDeclarationOnly',
    '--noCheck',
  ).then(() => script('prune.mjs', '--types')),
  script('bundle.mjs').then(() => script('bundle-page.mjs')),
  script('copy-sets.mjs', 'goose=../../contrib', 'opta=../../examples/opta/.opta'),
]);
