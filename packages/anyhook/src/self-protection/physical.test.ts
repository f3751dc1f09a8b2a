import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeIdentity } from './identity.ts';
import { physicalPlace, physicalPlaces } from './physical.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-physical-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, 'real/deep'), { recursive: true });
writeFileSync(join(root, 'real/file'), '');
symlinkSync('real', join(root, 'link'));
symlinkSync(join(root, 'link/deep'), join(root, 'chain'));
symlinkSync('../nowhere/at/all', join(root, 'real/dangling'));
symlinkSync('circle', join(root, 'circle'));

const PATHS = [
  '/',
  root,
  `${root}/`,
  `${root}//real/./deep`,
  ...['real', 'real/deep', 'real/file', 'link', 'link/deep/x/y', 'link/file', 'chain', 'chain/a/b'].map(
    (path) => join(root, path),
  ),
  ...['real/dangling', 'real/dangling/below', 'link/dangling/x', 'missing/a', 'missing/b'].map((path) =>
    join(root, path),
  ),
];

test('physicalPlaces resolves each path as physicalPlace does', () => {
  const placeOf = physicalPlaces();
  const found = [...PATHS, ...PATHS.toReversed()].map((path) => [path, placeOf(path)]);
  expect(found).toEqual([...PATHS, ...PATHS.toReversed()].map((path) => [path, physicalPlace(path)]));
  expect(new Set(found.map(([, place]) => JSON.stringify(place))).size).toBeGreaterThan(8); // or nothing was compared
});

test('a loop of links and a path below a file throw every time', () => {
  const placeOf = physicalPlaces();
  for (const path of ['circle', 'circle/x', 'circle/x'])
    expect(() => placeOf(join(root, path))).toThrow('leads in circles');
  for (const path of ['real/file/below', 'real/file/below', 'link/file/below/x'])
    expect(() => placeOf(join(root, path))).toThrow('ENOTDIR');
});

test('really() resolves a folder without resolving the guarded paths', () => {
  const look = makeIdentity({ folders: [join(root, 'circle')], files: [], code: [] }).look();
  expect(look.touches('file', join(root, 'real'))).toBe('inside'); // the control: that cannot be made out
  expect(look.really(join(root, 'link/deep'))).toBe(join(root, 'real/deep'));
});
