/** `"outside": true`: what a recognised `rm` or `mv` takes away outside the project, from the command to the restored file. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { treeOf } from '../../src/undo/fixtures/project.ts';
import { UndoGround } from './ground.ts';

function ground(undo: object) {
  const made = new UndoGround(undo);
  const outside = join(made.root, 'outside');
  mkdirSync(join(outside, 'folder/deep'), { recursive: true });
  writeFileSync(join(outside, 'file'), 'text\r\n', { mode: 0o640 });
  writeFileSync(join(outside, 'folder/deep/other'), 'other');
  return { made, outside, before: treeOf(outside) };
}

test.each([
  ['rm with absolute paths', (outside: string) => `rm -rf ${outside}/file ${outside}/folder`],
  ['rm with paths that lead out of the project', () => 'rm ../outside/file && rm -r ../outside/folder'],
  ['rm after cd', () => 'cd ../outside && rm -rf file folder'],
  ['mv into the project', (outside: string) => `mv ${outside}/file ${outside}/folder .`],
  ['mv -t', (outside: string) => `mv -t . ${outside}/file ${outside}/folder`],
  ['mv --target-directory', (outside: string) => `mv --target-directory=. ${outside}/file ${outside}/folder`],
])('what %s took away outside the project comes back byte for byte', (_, command) => {
  const { made, outside, before } = ground({ outside: true });
  const project = made.tree();
  made.sh(`call '${command(outside)}' c1`);
  expect(treeOf(outside)).toEqual({});
  const { code, output } = made.sh('undo --yes');
  expect([code, treeOf(outside), made.tree()], output).toEqual([0, before, project]);
});

test('control: without "outside" nothing outside the project is stored or restored', () => {
  const { made, outside } = ground({});
  made.sh(`call 'rm -rf ../outside/file' c1`);
  expect(made.sh('undo --yes').code).not.toBe(0);
  expect(Object.keys(treeOf(outside))).not.toContain('file');
});

test('a file outside that the user made again is a conflict and stays', () => {
  const { made, outside } = ground({ outside: true });
  made.sh(`call 'rm ../outside/file' c1; echo mine > ../outside/file`);
  const { output } = made.sh('undo --yes');
  expect(output).toContain('was changed since');
  expect(treeOf(outside)['file']).toBe('file 644 mine\n');
});

test('a folder outside that is larger than outsideBytes is left out and named', () => {
  const { made } = ground({ outside: true, outsideBytes: 4 });
  made.sh(`call 'rm -rf ../outside/folder' c1`);
  const { code, output } = made.sh('undo --dry-run');
  expect([code, output]).toEqual([1, expect.stringMatching(/outside\/folder/) as string]);
});
