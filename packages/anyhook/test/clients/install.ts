/** Installs what is missing, without running any package's scripts. The one step that needs a registry. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, packages } from './packages.ts';

export default async function install(): Promise<void> {
  for (const [client, wanted] of Object.entries(await packages())) {
    const folder = join(CACHE, client);
    const stamp = join(folder, '.installed');
    if (stampIn(stamp) === wanted.join(' ')) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, ...wanted], { cwd: folder, stdio: 'inherit' });
    writeFileSync(stamp, wanted.join(' '));
  }
}

function stampIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
