/** Redirects console output of user modules to notices, so that it does not break the screen. */

import { format } from 'node:util';
import type { Happening } from '../front/happening.ts';

type Level = Extract<Happening, { kind: 'notice' }>['level'];
const LEVELS = {
  log: 'info',
  info: 'info',
  debug: 'info',
  warn: 'warning',
  error: 'error',
} as const satisfies Record<string, Level>;

/** Returns a function that restores the console. */
export function keepConsole(say: (text: string, level: Level) => void, held: Console = console): () => void {
  const names = Object.keys(LEVELS) as (keyof typeof LEVELS)[];
  const kept = Object.fromEntries(names.map((name) => [name, held[name]]));
  for (const name of names) held[name] = (...words: unknown[]) => say(format(...words), LEVELS[name]);
  return () => void Object.assign(held, kept);
}
