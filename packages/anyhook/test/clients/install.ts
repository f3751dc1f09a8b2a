/** Installs missing packages without running their scripts. The only step that needs a registry. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentName } from '../../src/agents/index.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { programOf } from './agents.ts';
import { preparePackage } from './package-under-test.ts';
import { bundled, CACHE, CHOSEN, headlessOf, packages } from './packages.ts';

export default async function install(): Promise<void> {
  for (const [client, wanted] of Object.entries(await packages())) installInto(client, wanted);
  for (const { client, wanted, needs } of await bundled()) unpackInto(client, wanted, needs);
  for (const agent of CHOSEN) await firstStart(agent);
  preparePackage();
}

/** Starts an agent once, so that parallel runs do not create its shared files at the same time. */
async function firstStart(agent: AgentName): Promise<void> {
  const { npm } = await headlessOf(agent);
  if (npm.once === undefined || existsSync(join(CACHE, agent, 'once'))) return;
  const [file, ...words] = await programOf(agent);
  const home = mkdtempSync(join(tmpdir(), 'first-start-'));
  try {
    execFileSync(file, [...words, '--version'], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home },
    });
  } finally {
    removeTree(home);
  }
}

/** `folder` is below the cache. Existing packages are not downloaded again. */
export function installInto(folder: string, wanted: readonly string[], more: readonly string[] = []): void {
  once(folder, wanted.join(' '), (place) => npmInstall(place, [...more, ...wanted]));
}

/** Unpacks the package without dependencies, except those that its program needs. */
function unpackInto(folder: string, wanted: string, needs: readonly string[]): void {
  once(folder, [wanted, ...needs].join(' '), (place) => {
    npmInstall(place, needs);
    const target = join(place, 'node_modules', wanted.slice(0, wanted.lastIndexOf('@')));
    mkdirSync(target, { recursive: true });
    const packed = execFileSync('npm', ['pack', '--json', '--loglevel=error', wanted], {
      cwd: place,
      encoding: 'utf8',
    });
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    execFileSync('tar', ['-xzf', join(place, filename), '--strip-components=1', '-C', target]);
  });
}

function npmInstall(place: string, words: readonly string[]): void {
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...words], { cwd: place, stdio: 'inherit' });
}

function once(folder: string, wanted: string, bring: (place: string) => void): void {
  const place = join(CACHE, folder);
  const stamp = join(place, '.installed');
  if (stampIn(stamp) === wanted) return;
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  bring(place);
  writeFileSync(stamp, wanted);
}

function stampIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
