import { describe, expect, test } from 'vitest';
import { dialectContract } from '../../../testing/index.ts';
import { hookFromHandler } from './definition.ts';
import { ohMyPi } from './index.ts';

const hookFor = (on: string) =>
  hookFromHandler({
    on,
    nth: 1,
    origin: { layer: 'user', file: 'h.ts', line: 1 },
    fn: () => {},
    timeoutMs: 30_000,
  })!;

describe('the contract of dialects', () => {
  const observers = {
    answers: ['tool_execution_start', 'tool_execution_end'],
    reason: 'pi only notifies handlers of these: what they return is ignored',
  };
  for (const { title, check } of dialectContract(ohMyPi, { hookFor, gaps: [observers] })) test(title, check);
});

test("only pi has settings files: oh-my-pi's hooks are modules in folders", () => {
  expect(ohMyPi.config.places({ home: '/h', cwd: '/p', env: {} }).map(({ file }) => file)).toEqual([
    '/h/.pi/agent/settings.json',
    '/p/.pi/settings.json',
  ]);
});
