import { expect, test } from 'vitest';
import { canOf } from '../console/can-of.ts';
import { opta } from './opta/dialect/index.ts';
import { AGENTS } from './index.ts';
import { ownHooksOf } from './own-hooks.ts';

test('what an agent runs by itself is left to it; one that nobody knows is left nothing', () => {
  expect(ownHooksOf('goose')).toEqual(['goose@/.agents/plugins/']);
  expect(ownHooksOf('pi')).toEqual(['oh-my-pi@/.pi/']);
  expect(ownHooksOf('opta')).toEqual(['opta']);
  expect([ownHooksOf('somebody-new'), ownHooksOf('constructor')]).toEqual([[], []]);
});

test('an agent is lowered to as it was measured; one that never was, as its dialect has it', () => {
  expect(canOf('goose')).toBe(AGENTS.goose.can);
  expect(canOf('goose')['tool.before']).toEqual({ deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' } });
  expect(canOf('opta')).toBe(opta.can);
  expect(canOf('somebody-new')['tool.before']?.set).toBe('full');
});
