import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
const out = join(import.meta.dirname, '../dist/assets');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
cpSync('assets', out, { recursive: true });
