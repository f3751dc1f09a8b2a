/**
 * The available part of `pi-ai`: schemas, ids and prices. Only the host calls models, so functions that call models are
 * missing.
 */

import { randomBytes } from 'node:crypto';
import { Type } from './packed-typebox.mjs';

export { Type };

/** A string enum in the format that every provider reads. */
export const StringEnum = (
  values: readonly string[],
  { description, default: usual }: { description?: string; default?: string } = {},
) =>
  Type.Unsafe({
    type: 'string',
    enum: values,
    ...(description && { description }),
    ...(usual && { default: usual }),
  });

/** Sorts by time. */
export function uuidv7(timestampMs: number = Date.now()): string {
  const time = timestampMs.toString(16).padStart(12, '0');
  const random = randomBytes(10);
  random[0] = (random[0]! & 0x0f) | 0x70;
  random[2] = (random[2]! & 0x3f) | 0x80;
  const text = time + random.toString('hex');
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
interface Usage extends Prices {
  cost: Prices & { readonly total: number };
}

/** Computes the cost in dollars from prices per million tokens, and stores it in `usage`, like pi. */
export function calculateCost({ cost }: { readonly cost: Prices }, usage: Usage): Usage['cost'] {
  const of = (kind: keyof Prices) => (cost[kind] / 1e6) * usage[kind];
  const [input, output, cacheRead, cacheWrite] = [
    of('input'),
    of('output'),
    of('cacheRead'),
    of('cacheWrite'),
  ];
  return (usage.cost = {
    input,
    output,
    cacheRead,
    cacheWrite,
    total: input + output + cacheRead + cacheWrite,
  });
}
