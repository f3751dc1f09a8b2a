import { expect, test } from 'vitest';
import { canOf } from '../console/can-of.ts';
import { AGENTS } from './index.ts';
import { opta } from './opta/dialect/index.ts';
import { ownHooksOf } from './own-hooks.ts';

test('hooks that an agent runs itself are left to it, and none are left to an unknown agent', () => {
  expect(ownHooksOf('goose')).toEqual(['goose@/.agents/plugins/']);
  expect(ownHooksOf('pi')).toEqual(['oh-my-pi@/.pi/']);
  expect(ownHooksOf('opta')).toEqual(['opta']);
  expect([ownHooksOf('somebody-new'), ownHooksOf('constructor')]).toEqual([[], []]);
});

test('outcomes are lowered to the measured capabilities of an agent, or to those of its dialect if it was never measured', () => {
  expect(canOf('goose')).toBe(AGENTS.goose.can);
  expect(canOf('goose')['tool.before']).toEqual({ deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' } });
  expect(canOf('opta')).toBe(opta.can);
  expect(canOf('somebody-new')['tool.before']?.set).toBe('full');
});
