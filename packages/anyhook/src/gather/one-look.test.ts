import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSettingsFile } from '../settings/read-file.ts';
import { locationsOf } from './folders.ts';
import { oneLook } from './one-look.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-look-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, 'folder/empty'), { recursive: true });
writeFileSync(join(root, 'folder/file'), 'text');
writeFileSync(join(root, 'folder/bytes'), Buffer.from([0xff, 0xfe]));
symlinkSync('nowhere', join(root, 'folder/dangling'));
symlinkSync('folder', join(root, 'link'));

const PATHS =
  `/ folder folder/empty folder/file folder/bytes folder/dangling folder/none folder/file/below link link/file
  link/dangling link/dangling/below none none/of/them none/of/these`
    .split(/\s+/)
    .map((path) => join(root, path));

test('a cached lookup finds the same files as separate lookups', () => {
  const here = locationsOf({ cwd: root, home: root });
  const { places, project } = oneLook(here);
  const looks = (path: string) => [
    path,
    places.list(path),
    places.read(path),
    places.obstacle(path),
    project.read(path),
    project.isThere(path),
  ];
  const plain = (path: string) => [
    path,
    here.list(path),
    here.read(path),
    here.obstacle(path),
    readSettingsFile(path),
    [join(root, 'none'), join(root, 'folder/none')].every((one) => !path.startsWith(one)) &&
      !path.endsWith('/below') &&
      !path.includes('dangling'),
  ];
  expect([...PATHS, ...PATHS.toReversed()].map(looks)).toEqual([...PATHS, ...PATHS.toReversed()].map(plain));
});

test('a cached lookup does not see files created later; the next opening does', () => {
  const here = locationsOf({ cwd: root, home: root });
  const [file, folder] = [join(root, 'later/settings.json'), join(root, 'later')];
  const first = oneLook(here);
  expect([first.project.read(file).kind, first.places.list(folder)]).toEqual(['missing', []]);
  mkdirSync(folder);
  writeFileSync(file, '{}');
  expect([first.project.read(file).kind, first.places.list(folder)]).toEqual(['missing', []]);
  const next = oneLook(here);
  expect([next.project.read(file), next.places.list(folder)]).toEqual([
    { kind: 'text', text: '{}' },
    ['settings.json'],
  ]);
});
