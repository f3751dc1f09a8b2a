import { execFileSync } from 'node:child_process';
if (!process.env.CI) execFileSync(process.execPath, ['--version'], { stdio: 'inherit' });
