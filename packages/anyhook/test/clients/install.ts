/** Installs what is missing, without running any package's scripts. The one step that needs a registry. */
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

/** Whatever it keeps for all homes is made by one start, and not by several beside each other. */
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

/** `folder` is below the cache. What lies there already is not asked for again. */
export function installInto(folder: string, wanted: readonly string[], more: readonly string[] = []): void {
  once(folder, wanted.join(' '), (place) => npmInstall(place, [...more, ...wanted]));
}

/** The package without what it depends on, but for what its program needs. */
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
