import { describe, expect, test } from 'vitest';
import type { Fit, OnOpaque } from '../events/hook.ts';
import { fitOf, isAsked, opaquePolicy } from './fit.ts';
import { dialect, own } from './fixtures/dialects.ts';
import { before, hook } from './fixtures/stage.ts';

const now = before('ls');
const quiet = () => {};
const about = (when: () => Fit, opaque?: OnOpaque) => hook('own', quiet, { when, ...(opaque && { opaque }) });
const asking = dialect({
  ...own,
  name: 'asking',
  opaque: (word) => (word === 'tool.before' ? 'ask' : 'allow'),
});

describe('what a condition says', () => {
  test('is passed on as it is: yes, no, or that it cannot tell', () => {
    const unknown = { opaque: 'a name known only at run time' };
    expect(
      [true, false, unknown].map((fit) =>
        fitOf(
          about(() => fit),
          now,
        ),
      ),
    ).toEqual([true, false, unknown]);
  });

  test('is about the event that the hook is shown', () => {
    const seen: unknown[] = [];
    const when = (event: unknown) => (seen.push(event), true);
    fitOf(hook('own', quiet, { when }), now);
    expect(seen).toEqual([now]);
  });

  test('is yes where there is none, and where it throws', () => {
    const throwing = about(() => {
      throw new Error('bug');
    });
    expect([fitOf(hook('own', quiet), now), fitOf(throwing, now)]).toEqual([true, true]);
  });
});

describe('where a condition cannot tell', () => {
  const opaque = () => ({ opaque: 'unknown' });

  test("the hook's own word counts, else its dialect's rule for the word, else it is asked", () => {
    expect([
      opaquePolicy(about(opaque, 'block'), asking),
      opaquePolicy(about(opaque), asking),
      opaquePolicy({ ...about(opaque), on: 'tool.after' }, asking),
      opaquePolicy(about(opaque), own),
    ]).toEqual(['block', 'ask', 'allow', 'run']);
  });

  test('a hook is spoken for by its policy, unless that lets everything pass', () => {
    const policies: readonly OnOpaque[] = ['run', 'ask', 'block', 'allow'];
    expect(policies.map((policy) => isAsked(about(opaque, policy), own, now))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

test('a hook is asked when its condition says yes and not when it says no, whatever its policy', () => {
  const answers = [true, false].flatMap((fit) =>
    (['run', 'allow'] as const).map((policy) =>
      isAsked(
        about(() => fit, policy),
        own,
        now,
      ),
    ),
  );
  expect(answers).toEqual([true, true, false, false]);
});
