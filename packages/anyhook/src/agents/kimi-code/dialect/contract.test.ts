import { describe, test } from 'vitest';
import { dialectContract } from '../../../testing/index.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { GAPS } from './gaps.ts';
import { kimiCode } from './index.ts';

describe('the contract of dialects', () => {
  for (const { title, check } of dialectContract(kimiCode, { hookFor, gaps: GAPS })) test(title, check);
});
