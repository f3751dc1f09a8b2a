import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ground } from '../library/fixtures/ground.ts';
import { foldersOf, locationsOf } from './folders.ts';
import { openGate } from './trusted.ts';

const event = { name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } } as const;

test('a file that a trusted hook reads in place is checked again before each run', async () => {
  const { cwd, open } = ground({
    'project/.anyhook/hooks.json': JSON.stringify({
      hooks: { 'tool.before': [{ run: './guard.sh rules.txt', name: 'rules' }] },
    }),
    'project/guard.sh': '#!/bin/sh\ngrep -q ls "$1" && { echo "by the rules" >&2; exit 2; }\nexit 0\n',
    'project/rules.txt': 'no ls\n',
  });
  const hashes = (await open()).examined.map(({ judgement }) => judgement.hash);
  const hooks = await open({ trust: { hashes } });
  const reasons = async () => (await hooks.fire(event)).reasons.map(({ text }) => text);
  expect(await reasons()).toEqual(['by the rules']);
  writeFileSync(join(cwd, 'rules.txt'), 'anything goes\n');
  expect(await reasons()).toEqual([
    expect.stringMatching(/rules.*failed \(not-trusted: changed since it was trusted: rules\.txt\)/s),
  ]);
  writeFileSync(join(cwd, 'rules.txt'), 'no ls\n');
  expect(await reasons()).toEqual(['by the rules']);
});

test('entries that cannot be checked in time cost one read of the trust store, not one per module', () => {
  const { cwd, home } = ground({ 'project/.anyhook/hooks/a.mjs': '' });
  const locations = locationsOf({ cwd, home, env: {} });
  const folders = foldersOf(locations);
  mkdirSync(folders.trust, { recursive: true, mode: 0o700 });
  for (let at = 0; at < 2_000; at++) {
    const name = `${at.toString(16).padStart(64, '0')}.json`;
    writeFileSync(join(folders.trust, name), '{}', { mode: 0o600 });
  }
  const gate = openGate(locations, folders, {}, 0);
  const asker = { file: join(cwd, '.anyhook/hooks'), line: 1 };
  const started = performance.now();
  const found = Array.from({ length: 20_000 }, (_, at) => gate.module(join(asker.file, `m${at}.mjs`), asker));
  expect(new Set(found.map((one) => one && 'kind' in one && one.kind))).toEqual(new Set(['not-trusted']));
  expect(gate.problems.some(({ message }) => message.startsWith('20000 modules'))).toBe(true);
  // Reading the store once per module would take hours.
  expect(performance.now() - started).toBeLessThan(10_000);
});
