/**
 * Shapes that check settings documents. A shape returns the valid value, or undefined and reports a problem
 * with its position. Written by hand because a schema library would take longer to load than the hook to run.
 */

import type { Document, Path } from './document.ts';
import { isFields } from './fields.ts';
import { nearest, type Problem, type ProblemCode, sentence } from './problems.ts';

export type Shape<T> = (spot: Spot) => T | undefined;
export type TypeOfShape<S> = S extends Shape<infer T> ? T : never;

/** A value in a document, with its path. */
export interface Spot {
  readonly value: unknown;
  readonly path: Path;
  /** Returns an own key or index of the value. */
  part(key: string | number): Spot;
  report(code: ProblemCode, message: string, more?: Remark): void;
}
export interface Remark {
  readonly remedy?: string;
  /** A warning does not keep anything from loading. */
  readonly severity?: Problem['severity'];
  /** Points at the key instead of the value. */
  readonly at?: 'key';
}
export interface CheckedValue<T> {
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
  /** True if there are no errors. Warnings do not count. */
  readonly sound: boolean;
}

export function checkShape<T>(document: Document, path: Path, shape: Shape<T>): CheckedValue<T> {
  const problems: Problem[] = [];
  const value = shape(spotAt(document, path, problems));
  return { value, problems, sound: problems.every(({ severity }) => severity !== 'error') };
}

/** Returns the value at a path. Reports go to `problems`. */
export function spotAt(document: Document, path: Path, problems: Problem[]): Spot {
  return {
    value: path.reduce(ownPart, document.value),
    path,
    part: (key) => spotAt(document, [...path, key], problems),
    report: (code, message, { remedy, severity = 'error', at } = {}) =>
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
export const anyText: Shape<string> = (spot) => typed(spot, 'a string', isText);
export const flag: Shape<boolean> = (spot) => typed(spot, 'true or false', isFlag);
export const record: Shape<Readonly<Record<string, unknown>>> = (spot) => typed(spot, 'an object', isFields);

/** A string that is not blank and contains no NUL character. */
export const text: Shape<string> = (spot) => {
  const value = anyText(spot);
  if (value === undefined) return undefined;
  if (value.trim() === '') return wrong(spot, 'is empty');
  if (value.includes('\0')) return wrong(spot, 'contains a NUL character');
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

/** A list is valid only if all its items are. */
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
      spot.report('empty-list', 'is an empty list', { remedy: 'Name at least one, or remove the key.' });
    return first === undefined ? undefined : [first, ...rest];
  };

/** An object with any keys, whose values all have one shape. Valid only if all of them are. */
export const mapOf =
  <T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> =>
  (spot) => {
    const keys = Object.keys(record(spot) ?? {});
    const entries = keys.map((key) => [key, item(spot.part(key))] as const);
    if (!isFields(spot.value) || entries.some(([, value]) => value === undefined)) return undefined;
    return Object.fromEntries(entries) as Record<string, T>;
  };

type Shapes = Readonly<Record<string, Shape<unknown>>>;
/** An object with known, optional keys. Returns the valid ones and reports every unknown key. */
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

/** Accepts a string or a list, each with its own shape. */
export const textOrList =
  <A, B>(ofText: Shape<A>, ofList: Shape<B>): Shape<A | B> =>
  (spot) => {
    if (isText(spot.value)) return ofText(spot);
    if (isList(spot.value)) return ofList(spot);
    typed(spot, 'a string or a list of strings', isText);
    return undefined;
  };

export function sayUnknown(
  spot: Spot,
  word: string,
  known: readonly string[],
  severity: Problem['severity'],
): void {
  spot.report('unknown-key', `unknown key ${shown(word)}`, {
    at: 'key',
    severity,
    remedy: suggestion(word, known),
  });
}

export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${shown(near)}?`;
}

/** Formats a value for a message, shortened and on one line. */
export function shown(value: unknown): string {
  const printed = typeof value === 'number' ? String(value) : json(value);
  return printed.length > 60 ? `${printed.slice(0, 60)}…` : printed;
}
/** Values from a program, unlike those from a document, may be circular. */
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
  spot.report('wrong-type', `expected ${expected}, got ${typeNameOf(spot.value)}`);
  return undefined;
}
function wrong(spot: Spot, message: string, remedy?: string): undefined {
  spot.report('bad-value', message, remedy === undefined ? {} : { remedy });
}

/** Names the type of a value for a message. Values in answers of hooks can have types that JSON lacks. */
export function typeNameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (isList(value)) return `a list (${shown(value)})`;
  if (isFields(value)) return `an object (${shown(value)})`;
  if (isFlag(value)) return `a boolean (${shown(value)})`;
  if (isText(value) || isNumber(value)) return `a ${isText(value) ? 'string' : 'number'} (${shown(value)})`;
  return `a ${typeof value}`;
}
function ownPart(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key] // checked above
    : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
