/**
 * Shapes for settings documents: each says what it takes and, at the very place, what is wrong. A shape returns what is
 * sound and undefined for what is not; `checkShape` collects what was said. Hand-written: a schema library would cost more
 * start-up time than the hook it reads.
 */
import type { Document, Path } from './document.ts';
import { nearest, type Problem, type ProblemCode, sentence } from './problems.ts';
import { isFields } from './fields.ts';

export type Shape<T> = (spot: Spot) => T | undefined;
export type TypeOfShape<S> = S extends Shape<infer T> ? T : never;

/** One value in a document. */
export interface Spot {
  readonly value: unknown;
  readonly path: Path;
  /** A part of it: an own key or an index. */
  part(key: string | number): Spot;
  say(code: ProblemCode, message: string, more?: Remark): void;
}
export interface Remark {
  readonly remedy?: string;
  /** A warning keeps nothing from loading. */
  readonly severity?: Problem['severity'];
  /** Point at the key instead of at its value. */
  readonly at?: 'key';
}
export interface CheckedValue<T> {
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
  /** No error was found; warnings do not count. */
  readonly sound: boolean;
}

export function checkShape<T>(document: Document, path: Path, shape: Shape<T>): CheckedValue<T> {
  const problems: Problem[] = [];
  const value = shape(spotAt(document, path, problems));
  return { value, problems, sound: problems.every(({ severity }) => severity !== 'error') };
}

/** A place to read from and to speak about; what is said is added to `problems`. */
export function spotAt(document: Document, path: Path, problems: Problem[]): Spot {
  return {
    value: path.reduce(ownPart, document.value),
    path,
    part: (key) => spotAt(document, [...path, key], problems),
    say: (code, message, { remedy, severity = 'error', at } = {}) =>
      void problems.push({
        code,
        file: document.file,
        ...(at === 'key' ? document.keyAt(path) : document.at(path)),
        ...(path.length > 0 && { key: pathText(path) }),
        message: sentence(message),
        ...(remedy !== undefined && { remedy }),
        severity,
      }),
  };
}

export const anything: Shape<unknown> = ({ value }) => value;
export const anyText: Shape<string> = (spot) => typed(spot, 'a text', isText);
export const flag: Shape<boolean> = (spot) => typed(spot, 'true or false', isFlag);
export const record: Shape<Readonly<Record<string, unknown>>> = (spot) => typed(spot, 'an object', isFields);

/** A text that says something, and that a process can be handed. */
export const text: Shape<string> = (spot) => {
  const value = anyText(spot);
  if (value === undefined) return undefined;
  if (value.trim() === '') return wrong(spot, 'is empty');
  if (value.includes('\0')) return wrong(spot, 'holds a NUL character');
  return value;
};

export const whole =
  (least: number, most: number): Shape<number> =>
  (spot) => {
    const value = typed(spot, 'a number', isNumber);
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    return wrong(spot, `is ${shown(value)}`, `Write a whole number from ${least} to ${most}.`);
  };

export const oneOf =
  <const W extends string>(words: readonly W[]): Shape<W> =>
  (spot) => {
    const value = anyText(spot);
    if (value === undefined) return undefined;
    if ((words as readonly string[]).includes(value)) return value as W;
    return wrong(spot, `is ${shown(value)}`, suggestion(value, words));
  };

/** All or nothing: one bad item spoils the list. */
export const listOf =
  <T>(item: Shape<T>): Shape<readonly T[]> =>
  (spot) => {
    const values = typed(spot, 'a list', isList)?.map((_, index) => item(spot.part(index)));
    return values?.every((value) => value !== undefined) ? (values as T[]) : undefined;
  };

export const filledText =
  <T>(items: Shape<readonly T[]>): Shape<readonly [T, ...T[]]> =>
  (spot) => {
    const [first, ...rest] = items(spot) ?? [];
    if (Array.isArray(spot.value) && spot.value.length === 0)
      spot.say('empty-list', 'is an empty list', { remedy: 'Name at least one, or leave the key out.' });
    return first === undefined ? undefined : [first, ...rest];
  };

/** Any keys, all values of one shape. All or nothing. */
export const mapOf =
  <T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> =>
  (spot) => {
    const keys = Object.keys(record(spot) ?? {});
    const entries = keys.map((key) => [key, item(spot.part(key))] as const);
    if (!isFields(spot.value) || entries.some(([, value]) => value === undefined)) return undefined;
    return Object.fromEntries(entries) as Record<string, T>;
  };

type Shapes = Readonly<Record<string, Shape<unknown>>>;
/** Known keys, each optional. What is sound of it is returned; a key nobody knows is never passed over. */
export const object =
  <const F extends Shapes>(
    fields: F,
    unknown: Problem['severity'] | ((spot: Spot, key: string) => void) = 'error',
  ): Shape<{ readonly [K in keyof F]?: TypeOfShape<F[K]> }> =>
  (spot) => {
    const value = record(spot);
    if (value === undefined) return undefined;
    const sound: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const shape = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (shape === undefined) {
        if (typeof unknown === 'function') unknown(spot.part(key), key);
        else sayUnknown(spot.part(key), key, Object.keys(fields), unknown);
      } else {
        const read = shape(spot.part(key));
        if (read !== undefined) sound[key] = read;
      }
    }
    return sound as { readonly [K in keyof F]?: TypeOfShape<F[K]> };
  };

/** One shape for a text, another for a list. */
export const textOrList =
  <A, B>(ofText: Shape<A>, ofList: Shape<B>): Shape<A | B> =>
  (spot) => {
    if (isText(spot.value)) return ofText(spot);
    if (isList(spot.value)) return ofList(spot);
    typed(spot, 'a text or a list of texts', isText);
    return undefined;
  };

export function sayUnknown(
  spot: Spot,
  word: string,
  known: readonly string[],
  severity: Problem['severity'],
): void {
  spot.say('unknown-key', `unknown key ${shown(word)}`, {
    at: 'key',
    severity,
    remedy: suggestion(word, known),
  });
}

export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${shown(near)}?`;
}

/** A value for people: short, on one line. */
export function shown(value: unknown): string {
  const said = typeof value === 'number' ? String(value) : json(value);
  return said.length > 60 ? `${said.slice(0, 60)}…` : said;
}
/** What a program hands over, unlike a document, may hold itself. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'cannot be shown';
  }
}

export const pathText = (path: Path): string =>
  path
    .map((step) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[\w$-]+$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join('')
    .replace(/^\./, '');

function typed<T>(spot: Spot, expected: string, is: (value: unknown) => value is T): T | undefined {
  if (is(spot.value)) return spot.value;
  spot.say('wrong-type', `is ${typeNameOf(spot.value)}, ${expected} is expected`);
  return undefined;
}
function wrong(spot: Spot, message: string, remedy?: string): undefined {
  spot.say('bad-value', message, remedy === undefined ? {} : { remedy });
}

/** What something is, for people; a document holds no more than JSON does, a hook's answer may. */
export function typeNameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (isList(value)) return `a list (${shown(value)})`;
  if (isFields(value)) return `an object (${shown(value)})`;
  if (isFlag(value)) return `true or false (${shown(value)})`;
  if (isText(value) || isNumber(value)) return `a ${isText(value) ? 'text' : 'number'} (${shown(value)})`;
  return `a ${typeof value}`;
}
function ownPart(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key] // own, as just seen
    : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
