/**
 * The words of zod that the tables of events and gifts are written in, as plain checks. What hooks say is checked while
 * an agent waits, and to load zod costs more than most hooks take; so the same row is read with these words instead.
 */
import type { z as zod } from 'zod';
import { isPlain, same } from './changes.ts';
import { isFields } from './fields.ts';
import type { Path } from './document.ts';

/** The innermost part that does not fit. */
export interface Misfit {
  readonly path: Path;
  readonly value: unknown;
  /** In words, for people: "a list". */
  readonly expected: string;
}
/** `was`: what the hook was shown in that place. What it merely passes on is no fault of its own. */
type Check = (value: unknown, was: readonly unknown[]) => Misfit | undefined;
/** `whole`: the value itself, not one of its parts. */
type Find = (value: unknown, was: readonly unknown[]) => Misfit | 'whole' | undefined;

export interface PlainSchema {
  readonly expected: string;
  readonly isOptional: boolean;
  readonly misfit: Check;
  optional(): PlainSchema;
  nullable(): PlainSchema;
}
export interface PlainObject extends PlainSchema {
  readonly shape: Readonly<Record<string, PlainSchema>>;
}

function schema(expected: string, find: Find, isOptional = false): PlainSchema {
  const or =
    (exempt: unknown): Find =>
    (value, was) =>
      value === exempt ? undefined : find(value, was);
  return {
    expected,
    isOptional,
    misfit(value, was) {
      const found = find(value, was);
      if (found === undefined || was.some((one) => same(one, value))) return undefined;
      return found === 'whole' ? { path: [], value, expected } : found;
    },
    optional: () => schema(expected, or(undefined), true),
    nullable: () => schema(`${expected} or null`, or(null), isOptional),
  };
}
const simple = (expected: string, is: (value: unknown) => boolean): PlainSchema =>
  schema(expected, (value) => (is(value) ? undefined : 'whole'));

interface PlainNumber extends PlainSchema {
  int(): PlainNumber;
  min(least: number): PlainNumber;
  max(most: number): PlainNumber;
}
/** NaN and the infinities are no numbers to zod, and to nobody who sends them on as JSON. */
function number(word = 'number', bounds = '', is: (value: number) => boolean = Number.isFinite): PlainNumber {
  const narrower = (more: string, holds: (value: number) => boolean, noun = word) =>
    number(noun, `${bounds}${more}`, (value) => is(value) && holds(value));
  return {
    ...simple(`a ${word}${bounds}`, (value) => typeof value === 'number' && is(value)),
    int: () => narrower('', Number.isInteger, 'whole number'),
    min: (least) => narrower(` from ${least}`, (value) => value >= least),
    max: (most) => narrower(` to ${most}`, (value) => value <= most),
  };
}

const array = (item: PlainSchema): PlainSchema =>
  schema('a list', (value, was) => {
    if (!Array.isArray(value)) return 'whole';
    const before = was.filter(Array.isArray).flat();
    return firstIn(value.entries(), (one) => item.misfit(one, before));
  });

const record = (_key: PlainSchema, item: PlainSchema): PlainSchema =>
  schema('an object', (value, was) => {
    if (!isPlain(value)) return 'whole';
    return firstIn(Object.entries(value), (one, key) => item.misfit(one, partsOf(was, key)));
  });

/** Keys that the table does not list are allowed. */
const object = (shape: PlainObject['shape']): PlainObject => ({
  ...schema('an object', (value, was) => {
    if (!isFields(value)) return 'whole';
    return firstIn(Object.entries(shape), (field, key) =>
      key in value || field.isOptional
        ? field.misfit(value[key], partsOf(was, key))
        : { path: [], value: undefined, expected: field.expected },
    );
  }),
  shape,
});

/** Of several ways in which it does not fit, the one that fits farthest. */
const union = (options: readonly PlainSchema[]): PlainSchema =>
  schema(options.map(({ expected }) => expected).join(' or '), (value, was) => {
    const found = options.map((option) => option.misfit(value, was));
    return found.includes(undefined) ? undefined : (found.find((one) => one!.path.length > 0) ?? 'whole');
  });

const WORDS = {
  string: () => simple('a text', (value) => typeof value === 'string'),
  number: () => number(),
  boolean: () => simple('true or false', (value) => typeof value === 'boolean'),
  unknown: () => schema('anything', () => undefined),
  array,
  record,
  object,
  union,
};

const made = new Map<unknown, unknown>();
/** Made once per row. A row that uses another word of zod throws here: the tests read every row. */
export function plainSchema(row: (z: typeof zod) => zod.ZodObject): PlainObject;
export function plainSchema(row: (z: typeof zod) => zod.ZodType): PlainSchema;
export function plainSchema(row: (z: typeof zod) => unknown): unknown {
  if (!made.has(row)) made.set(row, row(WORDS as unknown as typeof zod)); // what our words make is one of ours
  return made.get(row);
}

function firstIn<K extends string | number, V>(
  parts: Iterable<[K, V]>,
  find: (part: V, key: K) => Misfit | undefined,
): Misfit | undefined {
  for (const [key, part] of parts) {
    const found = find(part, key);
    if (found !== undefined) return { ...found, path: [key, ...found.path] };
  }
  return undefined;
}
const partsOf = (was: readonly unknown[], key: string): unknown[] =>
  was.filter(isFields).flatMap((one) => (Object.hasOwn(one, key) ? [one[key]] : []));
