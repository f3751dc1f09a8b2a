import { describe, test } from 'vitest';
import { dialectContract } from '../../../testing/index.ts';
import { hookFromEntry } from './definition.ts';
import { opta } from './index.ts';
import type { OptaEvent } from './names.ts';

const hookFor = (word: string) =>
  hookFromEntry(
    { event: word as OptaEvent, command: 'true', protocol: 'json' },
    { layer: 'user', file: 'config.json', index: 0, line: 1 },
  );

describe('the contract of dialects', () => {
  for (const { title, check } of dialectContract(opta, { hookFor })) test(title, check);
});
