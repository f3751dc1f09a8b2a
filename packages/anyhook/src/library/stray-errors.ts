/** Collects stray errors of modules. Each is reported once with the next outcome and kept among the problems. */

import type { Event } from '../events/event.ts';
import { rowOf } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';
import type { Problem } from '../events/problems.ts';
import type { Log } from '../events/services.ts';
import type { OnStrayError } from '../gather/load-foreign.ts';

/** A module may leave a rejected promise behind at every event. */
const MOST = 100;

export function makeStrayErrors(log: Log) {
  const problems = new Map<string, Problem>();
  let unsaid: Ruling['said'][number][] = [];
  let isOver = false;
  const onStrayError: OnStrayError = ({ file, hook, text }) => {
    const message = `${hook === undefined ? '' : `${hook}: `}${text}`;
    const key = `${file}\0${message}`;
    if (problems.has(key) || problems.size >= MOST) return;
    problems.set(key, { code: 'stray-error', file, message, severity: 'warning' });
    // Two hooks of one module can fail alike; the id keeps their lines distinct.
    const named = hook === undefined ? file : `${file} (${hook.split('#').at(-1)!})`;
    if (isOver) log('warn', `${named}: ${text}`);
    else unsaid.push({ by: hook ?? file, to: 'person', text: `${named}: ${text}` });
  };
  return {
    heard: onStrayError,
    problems: (): readonly Problem[] => [...problems.values()],
    /** Reports with the next event that can carry a notice to the user. The record has it too. */
    join(outcome: Ruling, event: Event): Ruling {
      if (unsaid.length === 0 || !rowOf(event.name).effects.includes('notice')) return outcome;
      const texts = [...outcome.said, ...unsaid];
      unsaid = [];
      return { ...outcome, said: texts };
    },
    /** Call when no more outcomes will follow. */
    close(): void {
      isOver = true;
      for (const { text } of unsaid) log('warn', text);
      unsaid = [];
    },
  };
}
