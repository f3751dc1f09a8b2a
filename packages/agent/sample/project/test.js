import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { greet } from './greet.js';

const cases = { Ada: 'Hello, Ada! Nice to see you.', Bob: 'Hello, Bob! Nice to see you.' };
for (const [name, greeting] of Object.entries(cases)) {
  assert.equal(greet(name), greeting);
  if (!process.argv.includes('--quiet')) process.stdout.write(`ok: a long report about ${name}\n`);
}
writeFileSync('.tests-ran', '');
process.stdout.write(`${Object.keys(cases).length} tests passed\n`);
