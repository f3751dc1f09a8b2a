/** Runs after `npm test` and prints what it left out: the suites with scripts of their own, and programs that are not installed. */

import { readFileSync } from 'node:fs';
import { lacks, OPTIONAL_PROGRAMS } from '../packages/anyhook/test/programs.mjs';

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const others = Object.keys(scripts).filter((name) => name.startsWith('test:') && name !== 'test:quick');
console.log(`\nNot in this run: ${others.join(', ')}. CONTRIBUTING.md describes each and what it needs.`);

const missing = OPTIONAL_PROGRAMS.filter((program) => lacks(program));
if (missing.length > 0)
  console.log(`Skipped the tests of hooks that use ${missing.join(', ')}: not installed here.`);
