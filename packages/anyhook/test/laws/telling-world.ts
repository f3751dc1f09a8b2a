/** Random events with a field that the model reads, and hooks that add to it, redact it or rewrite it. */

import fc from 'fast-check';
import { apply, same } from '../../src/events/changes.ts';
import type { Change, Effect, Fields } from '../../src/events/effects.ts';
import type { Event } from '../../src/events/event.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../../src/events/events.ts';
import type { Ruling } from '../../src/events/outcome.ts';
import { decides } from '../../src/events/roles.ts';
import { anySpec, DIALECT_NAMES, DIALECTS, hooksOf, type Spec, type Subject, type Told } from './world.ts';

/** A field that hooks may change, and the value that the host sent. */
export interface Place {
  readonly name: EventName;
  readonly field: string;
  readonly isList: boolean;
  /** Whether the model reads the field, so that additions are context. */
  readonly isTold: boolean;
}
export const TOLD_PLACES: readonly Place[] = EVENT_NAMES.flatMap((name) =>
  (rowOf(name).modelReads ?? []).map((field) => ({ name, field, isList: field !== 'prompt', isTold: true })),
);
/** Control: fields for which additions are not context. */
const OTHER_PLACES: readonly Place[] = [false, true].map((isList) => ({
  name: 'prompt.submit',
  field: 'message',
  isList,
  isTold: false,
}));
export const PLACES: readonly Place[] = [...TOLD_PLACES, ...OTHER_PLACES];
export const DECIDING_PLACES = PLACES.filter(({ name }) => decides(name));

/** A line of a text, or a part of a list. A new part gets a new id. */
interface Piece {
  readonly text: string;
  readonly id?: string;
}
type Pieces = readonly Piece[];
interface Moment {
  readonly pieces: Pieces;
  readonly me: string;
  /** Number of earlier runs. */
  readonly nth: number;
}
interface Wanted {
  readonly pieces?: Pieces;
  readonly effects?: readonly Effect[];
}

const has = (pieces: Pieces, word: string) => pieces.some(({ text }) => text.includes(word));
const piece = ({ me, nth }: Moment, text: string): Piece => ({ text: `${me}:${text}`, id: `${me}.${nth}` });
const hidden = (pieces: Pieces): Pieces =>
  pieces.map((one) =>
    one.text.includes('secret') ? { ...one, text: one.text.replaceAll('secret', '***') } : one,
  );
const stamp = (now: Moment): Piece => piece(now, `at ${now.nth}`);

export const TELLING_ACTS: Readonly<Record<string, (now: Moment) => Wanted>> = {
  silent: () => ({}),
  stamp: (now) => ({ pieces: [...now.pieces, stamp(now)] }),
  stampFront: (now) => ({ pieces: [stamp(now), ...now.pieces] }),
  repeat: (now) => ({ pieces: [...now.pieces, piece(now, 'again')] }),
  once: (now) => (has(now.pieces, `${now.me}:`) ? {} : { pieces: [...now.pieces, piece(now, 'once')] }),
  leak: (now) => ({ pieces: [...now.pieces, piece(now, `secret ${now.nth}`)] }),
  tell: ({ me, nth }) => ({ effects: [{ kind: 'context', text: `${me}:at ${nth}` }] }),
  give: ({ me, nth }) => ({ effects: [{ kind: 'give', what: 'message', value: `${me}:at ${nth}` }] }),
  redact: ({ pieces }) => ({ pieces: hidden(pieces) }),
  redactAndStamp: (now) => ({ pieces: [...hidden(now.pieces), stamp(now)] }),
  redactOrStamp: (now) => ({
    pieces: has(now.pieces, 'secret') ? hidden(now.pieces) : [...now.pieces, stamp(now)],
  }),
  rewrite: (now) => ({ pieces: [piece(now, 'rewritten')] }),
  prune: ({ pieces, me }) => ({
    pieces: pieces.filter(({ text }) => !/:at/.test(text) || text.startsWith(me)),
  }),
  denySecret: ({ pieces }) => (has(pieces, 'secret') ? { effects: [{ kind: 'deny' }] } : {}),
  askPruned: ({ pieces }) => (has(pieces, 'please') ? {} : { effects: [{ kind: 'ask' }] }),
  haltStamp: ({ pieces }) => (has(pieces, ':at 1') ? { effects: [{ kind: 'halt' }] } : {}),
};
/** Hooks that only add, and add something on their first run. */
export const ADDERS = ['stamp', 'stampFront', 'repeat', 'once', 'leak'];
/** Hooks that redact, and possibly do more. */
export const REDACTORS = ['redact', 'redactAndStamp', 'redactOrStamp'];

export const anyTellingSet = (acts = Object.keys(TELLING_ACTS), dialects?: readonly string[]) => {
  const mixed = fc.array(anySpec(acts, dialects), { minLength: 1, maxLength: 5 });
  const guards = mixed.map((specs) =>
    specs.map((spec) => ({ ...spec, roles: ['guard', 'mutator'] as const })),
  );
  return fc
    .tuple(fc.oneof(mixed, guards), fc.option(fc.constantFrom(...(dialects ?? DIALECT_NAMES))))
    .map(([specs, one]): Spec[] =>
      specs.map((spec) => ({ ...spec, only: null, ...(one !== null && { dialect: one }) })),
    );
};

/** Hooks that are neither in shadow mode nor observers. */
export const inForce = (specs: readonly Spec[]): Spec[] =>
  specs.map((spec) => ({
    ...spec,
    shadow: false,
    roles: spec.roles.includes('observer') ? (['guard', 'mutator'] as const) : spec.roles,
  }));

export const sentTo = ({ isList }: Place): unknown =>
  isList
    ? [
        { type: 'text', text: 'please' },
        { type: 'text', text: 'secret 0' },
      ]
    : 'please\nsecret 0';
const piecesOf = (value: unknown): Pieces =>
  typeof value === 'string' ? value.split('\n').map((text) => ({ text })) : (value as Pieces);
const valueOf = ({ isList }: Place, pieces: Pieces): unknown =>
  isList ? pieces.map((one) => ({ type: 'text', ...one })) : pieces.map(({ text }) => text).join('\n');
export const textsOf = (value: unknown): string[] => piecesOf(value).map(({ text }) => text);

/** One run of a hook: its input, its answer, and the value it wants. */
export interface Saying {
  readonly id: string;
  readonly shown: unknown;
  readonly said: readonly Effect[];
  readonly wanted: unknown;
}
export interface TellingPlayed {
  readonly outcome: Ruling;
  readonly calls: readonly Saying[];
  readonly final: unknown;
}

export async function playTelling(
  { makeEngine }: Subject,
  hooks: readonly Told[],
  place: Place,
): Promise<TellingPlayed> {
  const { name, field } = place;
  const calls: Saying[] = [];
  const required = { tool: 't', input: {}, command: 'c', ...(field !== 'prompt' && { prompt: 'p' }) };
  const payload: Fields = { ...required, [field]: sentTo(place) };
  const event = { name, payload, ids: { session: 's' }, scene: { cwd: '/' }, round: 1 } as unknown as Event;
  const outcome = await makeEngine({
    dialects: DIALECTS.map((one) => ({ ...one, words: { ...one.words, [name]: [one.name] } })),
    hooks,
    run: (hook, request) => {
      const seen = ((request as { args: readonly unknown[] }).args[0] as Event).payload as Fields;
      const shown = seen[field];
      const nth = calls.filter(({ id }) => id === hook.id).length + 1;
      const act = TELLING_ACTS[(hook as Told).spec.act]!;
      const { pieces, effects = [] } = act({ pieces: piecesOf(shown), me: hook.id, nth });
      const wanted = pieces === undefined ? shown : valueOf(place, pieces);
      const change: Change[] = same(shown, wanted) ? [] : [{ kind: 'set', at: [field], to: wanted }];
      calls.push({ id: hook.id, shown, said: [...effects, ...change], wanted });
      return { kind: 'returned', value: [...effects, ...change], args: [] };
    },
    services: {},
  }).fire(event);
  return { outcome: outcome!, calls, final: apply(outcome!.payload, [])[field] };
}

export const tellingHooks = (specs: readonly Spec[]): Told[] => hooksOf(specs);
