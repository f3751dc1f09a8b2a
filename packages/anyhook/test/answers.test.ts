/**
 * Reads the corpus of forged answers with the output readers alone. `guards/answers.test.ts` runs it with real
 * processes.
 */

import { describe, expect, test } from 'vitest';
import { makeEngine } from '../src/engine/engine.ts';
import type { Reply } from '../src/events/exchange.ts';
import type { Outcome } from '../src/events/outcome.ts';
import { capture, FLOOD } from '../src/runners/command/capture.mjs';
import { decodeReply } from '../src/runners/command/raw-reply.mjs';
import { cameOf, CONTROLS, type Forgery, FORGERIES, guardOf } from './corpus/answers/answers.ts';

/** A reply as a runner delivers it: truncated at its limit, decoded, with notes. */
function replyOf({ stdout, code }: Forgery): Reply {
  const kept = capture(1_048_576, () => {});
  kept.take(stdout);
  const { bytes, dropped } = kept.bytes();
  const notes = dropped > 0 ? { notes: { truncated: { stdout: dropped } } } : {};
  const printed = { stdout: bytes, stderr: Buffer.alloc(0) };
  const flooded = stdout.length > FLOOD * 1_048_576;
  const why = flooded ? 'unreadable' : code;
  if (typeof why === 'string')
    return decodeReply({ bare: { kind: 'broken', why: { kind: why }, ...notes }, printed });
  return decodeReply({ bare: { kind: 'exited', code: why, ...notes }, printed });
}

async function cameTo(forgery: Forgery): Promise<string> {
  const { dialect, about } = forgery;
  const hooks = [guardOf(forgery, ['true'], 1000)];
  const engine = makeEngine({ dialects: [dialect], hooks, services: {}, run: () => replyOf(forgery) });
  return cameOf((await engine.fire(about)) as Outcome);
}

describe('a guard that prints text of the model is not fooled by it', () => {
  test.each(FORGERIES)('$title', async (forgery) => {
    expect(await cameTo(forgery)).toBe(forgery.expect);
  });
});

describe('a harmless or honest neighbour of a forged answer is still understood', () => {
  test.each(CONTROLS)('$title', async (forgery) => {
    expect(await cameTo(forgery)).toBe(forgery.expect);
  });
});

test('a reader that takes the first line of JSON is fooled by the corpus', () => {
  const naive = ({ stdout }: Forgery): boolean => {
    const first =
      stdout
        .toString()
        .split('\n')
        .find((line) => line.startsWith('{')) ?? '{}';
    try {
      const said = JSON.parse(first) as { decision?: string; block?: boolean };
      return said.block === true || said.decision === 'deny' || said.decision === 'block';
    } catch {
      return false;
    }
  };
  const refusals = FORGERIES.filter(({ expect: came, code }) => came === 'refused' && code === 0);
  const fooled = refusals.filter((forgery) => !naive(forgery));
  expect(fooled.length).toBeGreaterThan(refusals.length / 2);
});
