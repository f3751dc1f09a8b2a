/** Runs hooks that are functions, with and without a deadline for the event. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Dialect } from '../../src/events/dialect.ts';
import type { Effect } from '../../src/events/effects.ts';
import type { Event } from '../../src/events/event.ts';
import type { Reply } from '../../src/events/exchange.ts';
import type { Hook } from '../../src/events/hook.ts';
import type { Ruling } from '../../src/events/outcome.ts';
import {
  ACTS,
  anySpec,
  anyX,
  DIALECTS,
  eventOf,
  hooksOf,
  inputOf,
  type Spec,
  type Subject,
} from './world.ts';

type Pace = 'at once' | 'soon';
const anyDirect = fc.array(
  fc.tuple(anySpec(undefined, ['turn', 'last']), fc.constantFrom<Pace>('at once', 'soon')),
  {
    minLength: 1,
    maxLength: 6,
  },
);

export const bothWays = (subject: Subject) =>
  fc.asyncProperty(anyDirect, anyX, async (all, x) => {
    const dialect = all[0]![0].dialect;
    const specs = all.map(([spec, pace]) => [{ ...spec, dialect, shadow: false, only: null }, pace] as const);
    const [short, long] = [
      await travel(subject, specs, x, {}),
      await travel(subject, specs, x, { budgetMs: 1e9 }),
    ];
    assert.deepEqual(short, long);
    assert.ok(short.trace.length > 0);
  });

async function travel(
  { makeEngine, outcomeOf }: Subject,
  specs: readonly (readonly [Spec, Pace])[],
  x: number,
  over: { budgetMs?: number },
) {
  const trace: unknown[] = [];
  const hooks = hooksOf(specs.map(([spec]) => spec)).map((hook, i): Hook => {
    const [{ act }, pace] = specs[i]!;
    const answer = (event: Event) => {
      trace.push([hook.id, event.round, inputOf(event)]);
      const said = ACTS[act]!(inputOf(event));
      if (said === 'throw') throw new Error('bug');
      return said.length === 0 ? undefined : said;
    };
    const fn = pace === 'at once' ? answer : async (event: Event) => (await Promise.resolve(), answer(event));
    return { ...hook, run: { kind: 'call', fn, direct: true } };
  });
  const outcome = await makeEngine({
    dialects: DIALECTS.map(readable),
    hooks,
    run,
    services: {},
    ...over,
  }).fire(eventOf(x));
  return { trace, outcome: plain(outcomeOf(outcome!, 'tool.before')) };
}

/** Reads an exception the same way for both kinds of call. */
const readable = (dialect: Dialect): Dialect => ({
  ...dialect,
  output: {
    ...dialect.output,
    read: (reply) =>
      reply.kind === 'returned'
        ? { effects: (reply.value ?? []) as readonly Effect[] }
        : {
            effects: [],
            failed: { kind: 'failed', detail: reply.kind === 'threw' ? reply.message : reply.kind },
          },
  },
});

async function run({ run: way }: Hook, request: unknown): Promise<Reply> {
  const { fn } = way as unknown as { fn: (event: unknown) => unknown };
  try {
    return { kind: 'returned', value: await fn((request as { args: unknown[] }).args[0]), args: [] };
  } catch (error) {
    return { kind: 'threw', message: (error as Error).message, args: [] };
  }
}

/** Times differ between runs. */
const plain = ({ runs, ...outcome }: Ruling) => ({
  ...outcome,
  runs: runs.map((run) => ({ ...run, ms: 0 })),
});
