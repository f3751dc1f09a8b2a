/** The built-in guard runs before every other hook, so a slow hook cannot cause a timeout in its name. */

import { expect, test } from 'vitest';
import { ground, shell } from '../src/library/fixtures/ground.ts';

const SLOW = {
  'home/.config/goose/hooks.json': {
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'sleep 60', timeout: 60 }] }] },
  },
};

test('a hook that used up the time of a fire causes no refusal in the name of the built-in guard', async () => {
  const hooks = await ground(SLOW).open({ limits: { budgetMs: 4_000 } });
  const { verdict, runs } = await hooks.fire(shell('ls'));
  const inThreeDigits = expect.stringMatching(/^after (\d|\d\.\d{1,2}) s$|^after \d{1,3} ms$/);
  expect([verdict, runs.map(({ hook, answer }) => [hook.split(':')[0], answer?.failed])]).toEqual([
    'none',
    [
      ['anyhook', undefined],
      ['goose', { kind: 'timed-out', detail: inThreeDigits }],
    ],
  ]);
});

test('a call that the built-in guard refuses is refused before a slow hook starts', async () => {
  const place = ground(SLOW);
  const hooks = await place.open({ limits: { budgetMs: 5_000 } });
  const { verdict, runs } = await hooks.fire(shell(`rm ${place.home}/.config/goose/hooks.json`));
  expect([verdict, runs.map(({ skipped }) => skipped)]).toEqual([
    'deny',
    [undefined, 'refused before its turn'],
  ]);
});

test('a hook without remaining time is reported as such', async () => {
  const place = ground({
    ...SLOW,
    'home/.config/anyhook/hooks.json': { hooks: { 'tool.before': [{ run: 'true', name: 'mine' }] } },
  });
  const hooks = await place.open({ limits: { budgetMs: 300 } });
  const { reason } = await hooks.fire(shell('ls'));
  expect(reason).toMatch(/mine.*no-time: the time for this event was used up/);
});
