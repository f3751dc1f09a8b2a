/** After `npm test`: the suites that it does not run, so that nobody takes it for all of them. */
import { readFileSync } from 'node:fs';

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const others = Object.keys(scripts).filter((name) => name.startsWith('test:') && name !== 'test:quick');
console.log(`\nNot in this run: ${others.join(', ')}. CONTRIBUTING.md says what each is and needs.`);
