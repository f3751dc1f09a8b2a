/** Random sets of hooks whose answers depend only on their input, and one event for all of them. */

import fc from 'fast-check';
import type { makeEngine } from '../../src/engine/engine.ts';
import type { lower } from '../../src/engine/lower.ts';
import type { followQuestion } from '../../src/engine/open-questions.ts';
import type { Parts } from '../../src/engine/parts.ts';
import type { Dialect, Sharing } from '../../src/events/dialect.ts';
import type { Effect } from '../../src/events/effects.ts';
import type { Event } from '../../src/events/event.ts';
import { EVENT_NAMES } from '../../src/events/events.ts';
import type { Reply } from '../../src/events/exchange.ts';
import type { Hook, OnFailure, Role } from '../../src/events/hook.ts';
import type { outcomeOf, Ruling } from '../../src/events/outcome.ts';

/** The real engine, or one with a planted fault. */
export interface Subject {
  readonly makeEngine: typeof makeEngine;
  readonly lower: typeof lower;
  readonly outcomeOf: typeof outcomeOf;
  readonly followQuestion: typeof followQuestion;
}
export type Law = (subject: Subject) => fc.IAsyncProperty<never[]>;
export const law = <T extends [unknown, ...unknown[]]>(property: fc.IAsyncProperty<T>) =>
  property as unknown as fc.IAsyncProperty<never[]>; // only run, never looked into

export interface Input {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}
export interface Spec {
  readonly dialect: string;
  readonly act: string;
  readonly roles: readonly Role[];
  readonly onFailure: OnFailure;
  readonly shadow: boolean;
  /** The matcher: only calls with this `x`. */
  readonly only: number | null;
}

const set = (key: string, to: unknown): Effect => ({ kind: 'set', at: ['input', key], to });
const ALLOW: Effect = { kind: 'allow' };
const THROW = 'throw';

export const ACTS: Readonly<Record<string, (input: Input) => readonly Effect[] | typeof THROW>> = {
  silent: () => [],
  allow: () => [ALLOW],
  allowEven: ({ x }) => (x % 2 === 0 ? [ALLOW] : []),
  ask: ({ x }) => (x % 2 === 1 ? [{ kind: 'ask' }] : []),
  defer: ({ y }) => (y > 0 ? [{ kind: 'defer' }] : []),
  deny: ({ x }) => (x > 2 ? [{ kind: 'deny', reason: 'x' }] : []),
  denyY: ({ y }) => (y > 1 ? [{ kind: 'deny' }] : []),
  inc: ({ x }) => [set('x', x + 1)],
  two: () => [set('x', 2)],
  whole: ({ y, text }) => [{ kind: 'set', at: ['input'], to: { x: 1, y, text } }, ALLOW],
  y: ({ y }) => [set('y', y + 1), ALLOW],
  even: ({ x }) => (x % 2 === 1 ? [set('x', x - 1), ALLOW] : []),
  same: ({ x }) => [set('x', x)],
  doubt: ({ x }) => (x % 2 === 1 ? [set('x', x + 1), { kind: 'ask' }] : [ALLOW]),
  forbidden: () => [{ kind: 'set', at: ['tool'], to: 'other' }, ALLOW],
  context: () => [{ kind: 'context', text: 'c' }],
  halt: ({ x }) => (x === 3 ? [{ kind: 'halt' }] : []),
  broken: () => THROW,
  redactA: ({ text }) => [set('text', text.replaceAll('A', '*'))],
  redactB: ({ text }) => [set('text', text.replaceAll('B', '*'))],
  quoteA: ({ text }) => [set('text', text.replaceAll(/(?<!#)A/g, '#A'))],
  wipe: () => [set('text', '')],
  front: ({ text }) => [set('text', `<${text}`)],
  back: ({ text }) => [set('text', `${text}>`)],
  around: ({ text }) => [set('text', `(${text})`)],
  moreA: ({ text }) => [set('text', `${text} A`)],
};
/** Acts that only add, and the text that each adds. */
export const ADDITIONS: Readonly<Record<string, string>> = {
  front: '<',
  back: '>',
  around: '()',
  moreA: 'A',
};

const SHARINGS: Readonly<Record<string, Sharing>> = {
  together: { order: 'together', sees: 'original', stopsOn: [], keep: 'all' },
  turn: { order: 'in-turn', sees: 'so-far', stopsOn: ['deny'], keep: 'all' },
  last: { order: 'in-turn', sees: 'original', stopsOn: ['deny'], keep: 'last' },
  first: { order: 'in-turn', sees: 'original', stopsOn: [], keep: 'first' },
  fickle: { order: 'in-turn', sees: 'so-far', stopsOn: [], keep: 'last' },
};
/** The name of the host's permission event in the dialect. */
export const permissionWord = (dialect: string): string => `${dialect}:permission`;
export const DIALECT_NAMES = Object.keys(SHARINGS);

const notHere = (): never => {
  throw new Error('not needed here');
};
const dialect = (name: string, sharing: Sharing): Dialect => ({
  name,
  words: {
    ...(Object.fromEntries(EVENT_NAMES.map((event) => [event, null])) as Dialect['words']),
    'tool.before': [name],
    'tool.permission': [permissionWord(name)],
  },
  tools: {} as Dialect['tools'], // no tool has a name of its own here
  sharing: () => sharing,
  failure: () => 'allow',
  can: {},
  config: { places: () => [], read: notHere },
  payload: { write: (event) => ({ kind: 'call', args: [event] }), read: notHere },
  output: {
    write: notHere,
    read(reply) {
      if (reply.kind === 'returned') return { effects: (reply.value ?? []) as readonly Effect[] };
      return { effects: [], failed: { kind: 'failed', detail: 'bug' } };
    },
  },
});
export const DIALECTS: readonly Dialect[] = Object.entries(SHARINGS).map(([name, m]) => dialect(name, m));

export const anySpec = (acts = Object.keys(ACTS), dialects: readonly string[] = DIALECT_NAMES) =>
  fc.record<Spec>({
    dialect: fc.constantFrom(...dialects),
    act: fc.constantFrom(...acts),
    roles: fc.constantFrom<readonly Role[]>(
      ['guard', 'mutator'],
      ['guard', 'mutator'],
      ['guard'],
      ['mutator'],
      ['observer'],
    ),
    onFailure: fc.constantFrom<OnFailure>('allow', 'ask', 'block'),
    shadow: fc.constantFrom(false, false, false, true),
    only: fc.constantFrom(null, null, 1, 2, 3),
  });
/** Hooks of all dialects or of one, because interactions within a group would otherwise be rare. */
export function anySet(maxLength = 6, acts?: string[]): fc.Arbitrary<Spec[]> {
  const mixed = fc.array(anySpec(acts), { maxLength });
  const oneGroup = fc
    .tuple(mixed, fc.constantFrom(...DIALECT_NAMES))
    .map(([specs, dialect]) => specs.map((spec) => ({ ...spec, dialect })));
  return fc.oneof(mixed, oneGroup);
}
export const anyX = fc.nat(4);

export const inputOf = (event: Pick<Event, 'payload'>) =>
  (event.payload as unknown as { input: Input }).input;
export const matches = ({ only }: Spec, { x }: Input) => only === null || x === only;

export interface Told extends Hook {
  readonly spec: Spec;
}
export const hooksOf = (specs: readonly Spec[], tag = 'h'): Told[] =>
  specs.map((spec, i) => ({
    id: `${tag}${i}`,
    dialect: spec.dialect,
    on: spec.dialect,
    origin: { layer: 'user', file: 'hooks.json', line: i + 1 },
    roles: spec.roles,
    match: { kind: 'any' },
    ...(spec.only !== null && { when: (event: Event) => matches(spec, inputOf(event)) }),
    run: { kind: 'call', fn: () => {} },
    background: false,
    shadow: spec.shadow,
    timeoutMs: 1e6,
    onFailure: spec.onFailure,
    spec,
  }));

/** One run of a hook: its real input and answer, independent of the engine's records. */
export interface Call {
  readonly id: string;
  readonly shown: Input;
  readonly said: readonly Effect[] | typeof THROW;
}
export interface Played {
  readonly outcome: Ruling;
  readonly calls: readonly Call[];
}

export const eventOf = (x: number): Event<'tool.before'> => ({
  name: 'tool.before',
  payload: { tool: 't', input: { x, y: 0, text: 'A B' } },
  ids: { session: 's' },
  scene: { cwd: '/' },
  round: 1,
});

/** Fires one event; `delays` has the ticks by which answers are delayed, in order of calls. */
export async function play(
  { makeEngine: make }: Subject,
  hooks: readonly Told[],
  x: number,
  delays: readonly number[] = [],
  over: Partial<Parts> = {},
): Promise<Played> {
  const calls: Call[] = [];
  const run: Parts['run'] = async (hook, request): Promise<Reply> => {
    const wait = delays.length === 0 ? 0 : delays[calls.length % delays.length]!;
    const shown = inputOf((request as { args: readonly unknown[] }).args[0] as Event);
    const said = ACTS[(hook as Told).spec.act]!(shown);
    calls.push({ id: hook.id, shown, said });
    for (let ticks = wait; ticks > 0; ticks--) await Promise.resolve();
    return said === THROW
      ? { kind: 'threw', message: 'bug', args: [] }
      : { kind: 'returned', value: said, args: [] };
  };
  const outcome = await make({ dialects: DIALECTS, hooks, run, services: {}, ...over }).fire(eventOf(x));
  return { outcome: outcome ?? NO_ANSWER(x), calls };
}
export const NO_ANSWER = (x: number): Ruling => ({
  verdict: 'none',
  reasons: [],
  payload: eventOf(x).payload,
  changed: [],
  voided: [],
  said: [],
  given: [],
  flow: {},
  lost: [],
  runs: [],
  unmatched: [],
  aborted: false,
});

/** Removes values that differ between runs. */
export const bare = ({ runs, ...outcome }: Ruling) => ({
  ...outcome,
  runs: runs.map((run) => ({ ...run, ms: 0 })),
});
