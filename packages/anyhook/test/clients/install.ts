/** Installs what is missing, without running any package's scripts. The one step that needs a registry. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, packages } from './packages.ts';

export default async function install(): Promise<void> {
  for (const [client, wanted] of Object.entries(await packages())) installInto(client, wanted);
}

/** `folder` is below the cache. What lies there already is not asked for again. */
export function installInto(folder: string, wanted: readonly string[], more: readonly string[] = []): void {
  const place = join(CACHE, folder);
  const stamp = join(place, '.installed');
  if (stampIn(stamp) === wanted.join(' ')) return;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...more];
  execFileSync('npm', ['install', ...options, ...wanted], { cwd: place, stdio: 'inherit' });
  writeFileSync(stamp, wanted.join(' '));
}

function stampIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
