/** Finds what is wrong with an event fired by a host, apart from its name. */

import { suggestion, typeNameOf } from '../events/checker.ts';
import type { EventInput, Ids } from '../events/event.ts';
import { usageFault } from '../events/usage.ts';

const PARTS: Readonly<Record<keyof EventInput, true>> = {
  name: true,
  payload: true,
  ids: true,
  scene: true,
  raw: true,
  usage: true,
  traceHeaders: true,
  signal: true,
  waiting: true,
  budgetMs: true,
};
const IDS: Readonly<Record<keyof Ids, true>> = { session: true, agent: true, call: true, message: true };

/** Compares keys only if the payload or the session is missing. `paylod` or `sessionId` would otherwise go unnoticed. */
export const inputFault = (where: string, input: EventInput): TypeError | undefined =>
  typeof input.payload === 'object' &&
  input.ids === undefined &&
  input.signal === undefined &&
  input.usage === undefined &&
  input.budgetMs === undefined
    ? undefined
    : faultIn(where, input);

function faultIn(where: string, input: EventInput): TypeError | undefined {
  const { payload, ids, signal, budgetMs, usage } = input;
  if (payload === undefined) {
    const fault = unknownKey(input, PARTS);
    if (fault !== undefined) return new TypeError(`${where}: ${fault}`);
  } else if (typeof payload !== 'object')
    return new TypeError(`${where}: payload is ${typeNameOf(payload)}, an object is expected.`);
  if (ids !== undefined && ids?.session === undefined) {
    if (typeof ids !== 'object')
      return new TypeError(`${where}: ids is ${typeNameOf(ids)}, { session } is expected.`);
    const fault = unknownKey(ids ?? {}, IDS);
    if (fault !== undefined) return new TypeError(`${where}: ids: ${fault}`);
  }
  if (signal !== undefined && typeof signal?.aborted !== 'boolean')
    return new TypeError(`${where}: signal is not an AbortSignal. Pass the signal of the AbortController.`);
  const wrongUsage = usage === undefined ? undefined : usageFault(usage);
  if (wrongUsage !== undefined) return new TypeError(`${where}: usage: ${wrongUsage}.`);
  if (budgetMs !== undefined && !isMilliseconds(budgetMs))
    return new TypeError(
      `${where}: budgetMs is ${String(budgetMs)}, a whole number of milliseconds is expected.`,
    );
  return undefined;
}

const isMilliseconds = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) < 2 ** 31;

function unknownKey(value: object, known: Readonly<Record<string, true>>): string | undefined {
  const fault = Object.keys(value).find((key) => !Object.hasOwn(known, key));
  return fault === undefined ? undefined : `unknown key '${fault}'. ${suggestion(fault, Object.keys(known))}`;
}
