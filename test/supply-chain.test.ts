/** Checks the dependencies of our packages: no install scripts, and a bill of materials by npm. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
}
type LockedPackages = Readonly<Record<string, Locked>>;
const { packages: locked } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: LockedPackages;
};

/** All packages that are installed with a workspace, by path in the lock file. */
function treeOf(workspace: string, packages = locked): Set<string> {
  const seen = new Set<string>();
  const visit = (place: string): void => {
    if (seen.has(place)) return;
    seen.add(place);
    const { dependencies = {}, optionalDependencies = {} } = packages[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = placeOf(name, place, packages);
      if (found !== undefined) visit(packages[found]?.link === true ? packages[found].resolved! : found);
    }
  };
  visit(workspace);
  return seen;
}
/** Resolves like Node: nearest first. */
function placeOf(name: string, from: string, packages: LockedPackages): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
    if (!at.includes('/node_modules/')) at = '';
    if (at === '' && packages[`node_modules/${name}`] !== undefined) return `node_modules/${name}`;
    if (at === '') return undefined;
  }
}
const scriptsIn = (workspace: string, packages = locked): string[] =>
  [...treeOf(workspace, packages)].filter((place) => packages[place]?.hasInstallScript === true).toSorted();

test('no dependency of anyhook runs an install script', () => {
  expect([scriptsIn('packages/anyhook'), treeOf('packages/anyhook').size > 5]).toEqual([[], true]);
});

test('no dependency of the agent runs an install script, and a planted one is found', () => {
  expect([scriptsIn('packages/agent'), treeOf('packages/agent').size > 20]).toEqual([[], true]);
  const planted = {
    ...locked,
    'packages/agent': {
      ...locked['packages/agent'],
      optionalDependencies: { '@mariozechner/pi-tui': '*' },
    },
    'node_modules/koffi': { hasInstallScript: true },
  };
  expect(scriptsIn('packages/agent', planted)).toEqual(['node_modules/koffi']);
});

test('no dependency of the fleet runs an install script', () => {
  expect([scriptsIn('packages/fleet'), treeOf('packages/fleet').size > 5]).toEqual([[], true]);
});

test('npm lists the dependencies as CycloneDX', () => {
  const bom = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    }),
  ) as { readonly bomFormat: string; readonly components: readonly { readonly name: string }[] };
  const names = bom.components.map(({ name }) => name);
  expect([bom.bomFormat, names.includes('yaml'), names.includes('vitest')]).toEqual([
    'CycloneDX',
    true,
    false,
  ]);
});

test('all packages are published with provenance', () => {
  for (const workspace of ['anyhook', 'agent', 'fleet']) {
    const manifest = JSON.parse(
      readFileSync(join(ROOT, 'packages', workspace, 'package.json'), 'utf8'),
    ) as object;
    expect(manifest).toHaveProperty('publishConfig', { access: 'public', provenance: true });
  }
});
