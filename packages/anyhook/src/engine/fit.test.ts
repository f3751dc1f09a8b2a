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
  test('returns yes, no or unknown as the condition does', () => {
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

  test('a condition receives the event that the hook sees', () => {
    const seen: unknown[] = [];
    const when = (event: unknown) => (seen.push(event), true);
    fitOf(hook('own', quiet, { when }), now);
    expect(seen).toEqual([now]);
  });

  test('a hook without a condition matches, as does one whose condition throws', () => {
    const throwing = about(() => {
      throw new Error('bug');
    });
    expect([fitOf(hook('own', quiet), now), fitOf(throwing, now)]).toEqual([true, true]);
  });
});

describe('an undecidable condition', () => {
  const opaque = () => ({ opaque: 'unknown' });

  test("the hook's own policy counts, then its dialect's rule, then the hook runs", () => {
    expect([
      opaquePolicy(about(opaque, 'block'), asking),
      opaquePolicy(about(opaque), asking),
      opaquePolicy({ ...about(opaque), on: 'tool.after' }, asking),
      opaquePolicy(about(opaque), own),
    ]).toEqual(['block', 'ask', 'allow', 'run']);
  });

  test('an unknown match is answered by the policy, unless it allows everything', () => {
    const policies: readonly OnOpaque[] = ['run', 'ask', 'block', 'allow'];
    expect(policies.map((policy) => isAsked(about(opaque, policy), own, now))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

test('a hook runs if its condition is true and not if it is false, whatever its policy', () => {
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
