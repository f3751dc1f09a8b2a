import { describe, expect, test } from 'vitest';
import type { Ruling } from '../events/outcome.ts';
import { ruling } from '../testing/outcome.ts';
import { coloured, paintFor, plain } from './paint.ts';
import { timeline } from './timeline.ts';

const told = (more: Partial<Ruling>) =>
  timeline({ title: 'it happens', outcome: ruling(more), hookOf: () => undefined }, plain);

describe('the last line of a timeline', () => {
  test.each<[string, Partial<Ruling>, string]>([
    ['nobody wants anything', {}, '  → no objection'],
    ['a refusal', { verdict: 'deny', reasons: [{ by: 'x', text: 'no' }] }, '  → deny: no'],
    ['a blocked stop', { flow: { resume: 'red' } }, '  → the agent continues'],
    ['a halt', { flow: { halt: '' } }, '  → the agent stops'],
    ['a cancelled action', { flow: { cancel: 'later' } }, '  → cancelled'],
    ['a retry', { flow: { retry: '' } }, '  → retried'],
    ['a refusal and a halt', { verdict: 'deny', flow: { halt: 'x' } }, '  → deny'],
    ['an abort', { verdict: 'deny', aborted: true }, '  → aborted'],
  ])('%s', (_, more, line) => expect(told(more).at(-1)).toBe(line));
});

describe('a timeline', () => {
  test('a timeline escapes everything that comes from hooks', () => {
    const hostile = '\u001b[2J\u202e';
    const lines = told({
      reasons: [{ by: hostile, text: hostile }],
      verdict: 'deny',
      said: [{ by: hostile, to: 'person', text: hostile }],
      changed: [{ by: hostile, at: hostile }],
      flow: { halt: hostile },
      lost: [hostile],
      runs: [
        { hook: hostile, round: 1, ms: 1, skipped: hostile },
        {
          hook: hostile,
          round: 1,
          ms: 1,
          answer: {
            effects: [
              { kind: 'deny', reason: hostile },
              { kind: 'set', at: [hostile] },
            ],
          },
        },
      ],
    });
    expect(lines.filter((line) => /[\u001b\u202e]/.test(line))).toEqual([]); // oxlint-disable-line no-control-regex
  });
});

describe('colours', () => {
  test('colours are used for terminals unless a variable overrides it', () => {
    expect(paintFor({ isTTY: true }, {})).toBe(coloured);
    expect(paintFor({ isTTY: false }, {})).toBe(plain);
    expect(paintFor({ isTTY: true }, { NO_COLOR: '1' })).toBe(plain);
    expect(paintFor({ isTTY: true }, { TERM: 'dumb' })).toBe(plain);
    expect(paintFor({}, { FORCE_COLOR: '1' })).toBe(coloured);
  });
});
