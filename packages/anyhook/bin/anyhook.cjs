#!/usr/bin/env node
// Committed, because npm links a command only when its file is there: after `npm ci` in a clone nothing is built yet.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const built = join(__dirname, '../dist/bin/anyhook.cjs');
if (existsSync(built)) require(built);
else {
  process.stderr.write(`anyhook: not built yet; in ${join(__dirname, '../../..')} run: npm run build\n`);
  process.exitCode = 2;
}
