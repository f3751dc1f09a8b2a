import { describe, test } from 'vitest';
import { dialectContract } from '../../testing/index.ts';
import { hookFrom } from './definition.ts';
import { GAPS } from './gaps.ts';
import { goose } from './index.ts';
import type { GooseEvent } from './names.ts';

const hookFor = (word: string) =>
  hookFrom(
    { type: 'command', command: 'true' },
    { place: { layer: 'user', file: 'hooks.json' }, event: word as GooseEvent, group: 0, index: 0, line: 1 },
  );
const gaps = GAPS.map(({ because, answers = [] }) => ({ reason: because, answers }));

describe('the contract of dialects', () => {
  for (const { title, check } of dialectContract(goose, { hookFor, gaps })) test(title, check);
});
