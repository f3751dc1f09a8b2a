// Only pretends: nothing leaves the machine.

import { readFileSync } from 'node:fs';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
process.stdout.write(`released ${name} ${version}\n`);
