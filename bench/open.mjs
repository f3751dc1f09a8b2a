// What the cases share: a program with hooks of its own, without files and without a journal.

import { createHooks, defineHook } from '../packages/anyhook/dist/index.js';
import { EVERYTHING } from '../packages/anyhook/dist/testing/index.js';

export const host = { name: 'bench', can: EVERYTHING };
export const quiet = { host, settings: false, journal: false };

/** @param {(n: number) => (...args: unknown[]) => unknown} make */
export const openWith = (count, make, more = {}) =>
  createHooks({
    ...quiet,
    ...more,
    hooks: Array.from({ length: count }, (_, n) =>
      defineHook({ on: 'agent.start', name: `h${n}`, run: make(n) }),
    ),
  });
/** Distinct functions, as in life: one shared function would be inlined and measure nothing. */
export const distinct = (body) => (n) => new Function('event', `${body} // ${n}`);
export const distinctAsync = (body) => (n) =>
  new (Object.getPrototypeOf(async () => {}).constructor)('event', `${body} // ${n}`);
