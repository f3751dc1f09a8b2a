/** The screen is drawn, not written to: what a module of the person's prints becomes a notice, and the frame stays whole. */
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

/** Gives the console back when it is called. */
export function keepConsole(say: (text: string, level: Level) => void, held: Console = console): () => void {
  const names = Object.keys(LEVELS) as (keyof typeof LEVELS)[];
  const kept = Object.fromEntries(names.map((name) => [name, held[name]]));
  for (const name of names) held[name] = (...words: unknown[]) => say(format(...words), LEVELS[name]);
  return () => void Object.assign(held, kept);
}
