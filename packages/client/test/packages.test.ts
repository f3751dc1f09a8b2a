/** The platform packages, and the bytes that go into them. */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { clientFor } from '../../anyhook/src/daemon/client-file.ts';
import { clientFile, COMPILERS, type compile } from '../build.mjs';
import { PLATFORMS, withClients } from '../prepare-release.mjs';

const PACKAGE = join(import.meta.dirname, '..');
const manifestOf = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
const anyhook = manifestOf(join(PACKAGE, '../anyhook')) as { version: string };

test('every platform that can be compiled has a package of the same version that installs there only', () => {
  expect(PLATFORMS).toEqual(Object.keys(COMPILERS).toSorted());
  for (const platform of PLATFORMS) {
    const [os, cpu] = platform.split('-');
    expect(manifestOf(join(PACKAGE, 'npm', platform))).toMatchObject({
      name: `@anyhook/client-${platform}`,
      version: anyhook.version,
      os: [os],
      cpu: [cpu],
      files: ['bin'],
    });
    expect(manifestOf(join(PACKAGE, 'npm', platform))).not.toHaveProperty('scripts');
  }
});

test('a release names the platform packages as optional dependencies, a clone does not', () => {
  expect(anyhook).not.toHaveProperty('optionalDependencies');
  expect(withClients(anyhook, PLATFORMS)).toEqual({
    ...anyhook,
    optionalDependencies: Object.fromEntries(
      PLATFORMS.map((platform) => [`@anyhook/client-${platform}`, anyhook.version]),
    ),
  });
});

test('the client of a platform without a compiled one is undefined', () => {
  expect(clientFor('aix', 'ppc64').kind).toBe('node');
});

for (const platform of Object.keys(COMPILERS)) {
  test(`two builds for ${platform} in different folders give the same bytes`, async ({ skip }) => {
    const built = ['one', 'another folder'].map(async (name) => {
      const root = join(mkdtempSync(join(tmpdir(), 'ah-')), name);
      mkdirSync(root);
      for (const part of ['src', 'build.mjs'])
        cpSync(join(PACKAGE, part), join(root, part), { recursive: true });
      const copy = (await import(pathToFileURL(join(root, 'build.mjs')).href)) as { compile: typeof compile };
      // The compiler for Windows adds this ending by itself.
      const file = join(root, 'client.exe');
      const compiler = copy.compile(platform, file);
      const bytes = compiler === undefined ? undefined : readFileSync(file);
      rmSync(join(root, '..'), { recursive: true });
      return bytes;
    });
    const [one, other] = await Promise.all(built);
    if (one === undefined || other === undefined) return skip('no compiler for this platform');
    expect(one.equals(other)).toBe(true);
    expect(one.includes('another folder')).toBe(false);
  });
}

test('the client for Linux on arm64 runs under qemu and prints a failure', ({ skip }) => {
  const client = clientFile('linux-arm64');
  if (!existsSync(client)) return skip('this client was not compiled');
  const args = [client, 'codex', '--on-failure', 'nothing'];
  const { status, stderr, error } = spawnSync('qemu-aarch64', args, { input: '{}', encoding: 'utf8' });
  if (error !== undefined || status === 255) return skip('qemu-aarch64 is missing');
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'anyhook refused this call because --on-failure does not know "nothing". Run: anyhook doctor\n',
  });
});
