/** Shapes for options passed in code. In contrast to settings documents, values may be functions or undefined. */

import { anyText, record, type Shape, type Spot, spotAt, typeNameOf } from '../events/checker.ts';
import type { Position } from '../events/document-parse.ts';
import type { Document } from '../events/document.ts';
import { isFields } from '../events/fields.ts';
import { type Problem, sentences } from '../events/problems.ts';

/** Throws a `TypeError` that lists every invalid option. */
export function checkOrThrow(who: string, options: unknown, wanted: string, shape: Shape<unknown>): void {
  const problems: Problem[] = [];
  const spot = spotAt(saidBy(who, options), [], problems);
  if (options === undefined || options === null) spot.report('wrong-type', `wants ${wanted}`);
  else shape(spot);
  if (problems.length > 0)
    throw new TypeError(
      problems
        .map(({ key, message, remedy }) =>
          [`${who}:`, key && `${key}:`, sentences([message, remedy])].filter(Boolean).join(' '),
        )
        .join('\n'),
    );
}

/** Options have no line numbers; messages name the option instead. */
const NOWHERE = {} as Position;
export const saidBy = (who: string, value: unknown): Document => ({
  file: who,
  value,
  problems: [],
  at: () => NOWHERE,
  keyAt: () => NOWHERE,
});

/** In JavaScript an option set to undefined counts as missing. */
export const optional =
  <T>(shape: Shape<T>): Shape<T> =>
  (spot) =>
    spot.value === undefined ? undefined : shape(spot);

export const wants =
  (what: string, is: (value: unknown) => boolean): Shape<unknown> =>
  (spot) => {
    if (!is(spot.value)) spot.report('wrong-type', `wants ${what}`);
    return spot.value;
  };

export const orFalse =
  (shape: Shape<unknown>): Shape<unknown> =>
  (spot) =>
    spot.value === false ? false : shape(spot);

/** For options where users tend to write a list of names or `true`: the message shows an example of the object. */
export const objectLike =
  (example: (value: unknown) => string, shape: Shape<unknown>): Shape<unknown> =>
  (spot) => {
    if (isFields(spot.value)) return shape(spot);
    spot.report('wrong-type', `expected an object, got ${typeNameOf(spot.value)}`, {
      remedy: `Write ${example(spot.value)}.`,
    });
    return undefined;
  };

/** Checks the variables in one pass, because programs pass their whole environment at every start. */
export const variables: Shape<unknown> = (spot) => {
  const fields = record(spot) ?? {};
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && typeof value !== 'string') anyText(spot.part(name));
  return fields;
};

/** Adds required options to a shape, each with a description of what is expected. */
export const needing =
  (needs: Readonly<Record<string, string>>, shape: Shape<unknown>): Shape<unknown> =>
  (spot) => {
    shape(spot);
    for (const [key, what] of Object.entries(needs)) required(spot, key, what);
    return spot.value;
  };

function required(spot: Spot, key: string, what: string): void {
  const isThere = typeof spot.value === 'object' && spot.value !== null;
  if (isThere && spot.part(key).value === undefined)
    spot.part(key).report('wrong-type', `is missing: ${what}`);
}
