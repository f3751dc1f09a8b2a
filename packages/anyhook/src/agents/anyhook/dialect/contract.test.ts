import { describe, test } from 'vitest';
import type { EventName } from '../../../events/events.ts';
import { dialectContract } from '../../../testing/index.ts';
import { hookFromDefinition } from './definition.ts';
import { anyhook } from './index.ts';

const origin = { layer: 'user', file: 'hooks.json', line: 1 } as const;
const run = { kind: 'command', run: { line: 'true' }, env: 'inherit' } as const;
const hookFor = (word: string) => hookFromDefinition({ on: word as EventName }, word, origin, run).hook;

describe('the contract of dialects', () => {
  for (const { title, check } of dialectContract(anyhook, { hookFor })) test(title, check);
});
