import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ground } from '../hosts/library/fixtures/ground.ts';

const event = { name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } } as const;

test('a file that a trusted hook reads where it lies is looked at again before each run', async () => {
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
