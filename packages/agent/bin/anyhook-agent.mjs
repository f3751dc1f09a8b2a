#!/usr/bin/env node
// Committed, because npm links a command only when its file is there: after `npm ci` in a clone nothing is built yet.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/main.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  process.stderr.write(`anyhook-agent: not built yet; in ${root} run: npm run build\n`);
  process.exitCode = 2;
}
