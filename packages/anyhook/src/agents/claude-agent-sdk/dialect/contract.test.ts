import { describe, expect, test } from 'vitest';
import { dialectContract } from '../../../testing/index.ts';
import { GAPS } from '../../claude-code/dialect/gaps.ts';
import { hooksFromCallbacks } from './definition.ts';
import { claudeAgentSdk } from './index.ts';

const hookFor = (word: string) => hooksFromCallbacks({ [word]: () => ({}) }).hooks[0]!;

describe('the contract of dialects', () => {
  for (const { title, check } of dialectContract(claudeAgentSdk, { hookFor, gaps: GAPS })) test(title, check);
});

test('the dialect has no settings file', () => {
  expect(claudeAgentSdk.config.places({ home: '/h', cwd: '/p', env: {} })).toEqual([]);
});
