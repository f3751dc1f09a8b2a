// `npm run test:wild [-- [-u] [package…]]`: all of the suite, or the packages whose name has one of the words in it. A
// line per package as it is done. `-u` writes down what was seen, package by package, so that a run may be cut short.

import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));
const only = words.filter((word) => !options.includes(word));
const unknown = options.filter((word) => word !== '-u');
if (unknown.length > 0) {
  process.stderr.write(`test:wild takes -u and names of packages, not ${unknown.join(' ')}\n`);
  process.exit(2);
}
if (only.length > 0) process.env['WILD_ONLY'] = only.join(' ');
if (options.includes('-u')) process.env['WILD_WRITE'] = '1';
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));
const vitest = await startVitest('test', [], { config, watch: false, run: true });
await vitest?.close();
