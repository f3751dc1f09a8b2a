import { expect, test } from 'vitest';
import { failureOf } from './failure-of.ts';
import { ground, shell } from './fixtures/ground.ts';

test.each([
  ['OpenCode, which leaves it out', 'home/.config/opencode/plugin/bad.js', 'allow', 'none'],
  ['ours, which may have been a guard', 'home/.config/anyhook/hooks/bad.mjs', 'block', 'deny'],
])(
  'a module of %s that does not load behaves as its failure policy is described',
  async (_whose, file, said, verdict) => {
    const hooks = await ground({ [file]: 'syntax error' }).open();
    const broken = hooks.hooks.filter(({ run }) => run.kind === 'missing');
    expect([broken.map(failureOf), (await hooks.fire(shell('ls'))).verdict]).toEqual([[said], verdict]);
  },
);
