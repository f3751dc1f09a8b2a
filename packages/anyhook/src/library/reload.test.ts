import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { before, ground, shell, USER } from './fixtures/ground.ts';

const GUARD = (reason: string) => `#!/bin/sh\necho ${reason} >&2\nexit 2\n`;

describe('settings', () => {
  test('settings are frozen until the next reload', async () => {
    const { root, open } = ground({ [USER]: before({ run: 'echo old >&2; exit 2' }) });
    const hooks = await open();
    const reasons = async () => (await hooks.fire(shell('ls'))).reasons.map(({ text }) => text);
    writeFileSync(join(root, USER), JSON.stringify(before({ run: 'echo new >&2; exit 2' })));
    expect(await reasons()).toEqual(['old']);
    await hooks.reload();
    expect(await reasons()).toEqual(['new']);
    writeFileSync(join(root, USER), '{}');
    await hooks.reload();
    expect([await reasons(), hooks.wants['tool.before']]).toEqual([[], false]);
  });

  test('a trusted script that changes keeps running as trusted; after a reload it is modified and does not run', async () => {
    const { open, put } = ground({
      'project/.anyhook/hooks.json': before({ run: './guard.sh' }),
      'project/guard.sh': GUARD('trusted'),
    });
    const first = await open();
    const hashes = first.examined.map(({ judgement }) => judgement.hash);
    const hooks = await open({ trust: { hashes } });
    const fired = async () => {
      const { verdict, reasons, runs } = await hooks.fire(shell('ls'));
      return [verdict, reasons.map(({ text }) => text), runs.at(-1)?.skipped];
    };
    expect(await fired()).toEqual(['deny', ['trusted'], undefined]);
    put('project/guard.sh', GUARD('evil'));
    expect(await fired()).toEqual(['deny', ['trusted'], undefined]);
    await hooks.reload();
    expect(await fired()).toEqual(['none', [], 'not trusted']);
    expect(hooks.examined.map(({ judgement }) => judgement.state)).toEqual(['unknown']);
  });

  test('a grant counts from the next reading, and a later change is reported as modified', async () => {
    const { open, put } = ground({
      'project/.anyhook/hooks.json': before({ run: './guard.sh' }),
      'project/guard.sh': GUARD('trusted'),
    });
    const named = await open();
    const hashes = named.examined.map(({ judgement }) => judgement.hash);
    const granting = await open({ trust: { hashes } });
    for (const { entry } of granting.examined) expect(granting.grant(entry)).toEqual({ kind: 'added' });
    await named.reload();
    expect((await named.fire(shell('ls'))).verdict).toBe('deny');
    put('project/guard.sh', GUARD('changed'));
    await named.reload();
    expect(named.examined.map(({ judgement }) => judgement.state)).toEqual(['modified']);
    expect(named.examined[0]?.judgement.diff).toContain('+echo changed >&2');
  });
});
