import { describe, test } from 'vitest';
import { dialectContract } from '../../../testing/index.ts';
import { hookFromAction } from './definition.ts';
import { GAPS } from './gaps.ts';
import { goose } from './index.ts';
import type { GooseWord } from './names.ts';

const hookFor = (word: string) =>
  hookFromAction(
    { type: 'command', command: 'true' },
    { place: { layer: 'user', file: 'hooks.json' }, event: word as GooseWord, group: 0, index: 0, line: 1 },
  );
const gaps = GAPS.map(({ because, answers = [] }) => ({ reason: because, answers }));

describe('the contract of dialects', () => {
  for (const { title, check } of dialectContract(goose, { hookFor, gaps })) test(title, check);
});
