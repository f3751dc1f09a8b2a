/** The session process that starts together with the daemon. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SpareProcess } from '../../src/daemon/spare-process.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';

let root = '';
const put = (file: string): void => writeFileSync(join(root, 'hooks', file), '');
const processEnv = process.env as Record<string, string>;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ah-'));
  mkdirSync(join(root, 'hooks'));
});
afterEach(() => removeTree(root));

test('a user without hook modules gets no spare process', () => {
  put('notes.md');
  expect(SpareProcess.startFor(root)).toBeUndefined();
  expect(SpareProcess.startFor(join(root, 'missing'))).toBeUndefined();
});

test('the first event of a user with hook modules gets the spare process, and only the first', () => {
  put('guard.ts');
  const spare = SpareProcess.startFor(root)!;
  const taken = spare.takeFor({ env: { ...processEnv, FROM_AGENT: '1' } });
  expect(taken?.isEnded).toBe(false);
  expect(spare.takeFor({ env: processEnv })).toBeUndefined();
  taken!.kill();
});

test.each(['TZ', 'LANG', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'])(
  'an event with another %s gets no spare process, because Node has read the variable already',
  (name) => {
    put('guard.ts');
    const spare = SpareProcess.startFor(root)!;
    expect(spare.takeFor({ env: { ...processEnv, [name]: 'other' } })).toBeUndefined();
    expect(spare.takeFor({ env: processEnv })).toBeUndefined();
  },
);
