import { expect, test } from 'vitest';
import { DIALECTS } from '../assemble.ts';
import { BRIDGES } from './bridges.ts';
import { AGENT_NAMES } from './capabilities.ts';
import { canOf } from '../hosts/console/can-of.ts';
import { NATIVE, nativeTo } from './native-to.ts';

test('every agent that can be bridged has a row: whether its own hooks run twice is a decision', () => {
  expect([...AGENT_NAMES].filter((name) => !Object.hasOwn(NATIVE, name))).toEqual([]);
  expect(Object.keys(BRIDGES).filter((name) => !Object.hasOwn(NATIVE, name))).toEqual([]);
});

test('what is left to an agent is the settings of a dialect that exists', () => {
  const known = DIALECTS.map(({ name }) => name);
  const left = Object.values(NATIVE)
    .flat()
    .map((one) => one.split('@')[0]!);
  expect(left.filter((name) => !known.includes(name))).toEqual([]);
});

test('an agent without a row is left nothing', () => {
  expect(nativeTo('somebody-new')).toEqual([]);
});

test('an agent is lowered to as it was measured; one that never was, as its dialect has it', () => {
  expect(canOf('goose')['tool.before']).toEqual({ deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' } });
  expect(canOf('opta')).toBe(DIALECTS.find(({ name }) => name === 'opta')!.can);
  expect(canOf('somebody-new')['tool.before']?.set).toBe('full');
});
