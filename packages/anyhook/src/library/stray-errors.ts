/** What modules do where nobody listens: said once, with the next outcome, and kept among the problems. */
import type { Event } from '../events/event.ts';
import { rowOf } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';
import type { Problem } from '../events/problems.ts';
import type { Log } from '../events/services.ts';
import type { OnStrayError } from '../gather/load-foreign.ts';

/** A module may forget a promise with every event. */
const MOST = 100;

export function makeStrayErrors(log: Log) {
  const problems = new Map<string, Problem>();
  let unsaid: Ruling['said'][number][] = [];
  let isOver = false;
  const heard: OnStrayError = ({ file, hook, text }) => {
    const message = `${hook === undefined ? '' : `${hook}: `}${text}`;
    const key = `${file}\0${message}`;
    if (problems.has(key) || problems.size >= MOST) return;
    problems.set(key, { code: 'stray-error', file, message, severity: 'warning' });
    // Two hooks of a module that forget the same are two lines, which must not look alike.
    const named = hook === undefined ? file : `${file} (${hook.split('#').at(-1)!})`;
    if (isOver) log('warn', `${named}: ${text}`);
    else unsaid.push({ by: hook ?? file, to: 'person', text: `${named}: ${text}` });
  };
  return {
    heard,
    problems: (): readonly Problem[] => [...problems.values()],
    /** With the next event on which a person can be told something; its record has it too. */
    join(outcome: Ruling, event: Event): Ruling {
      if (unsaid.length === 0 || !rowOf(event.name).effects.includes('notice')) return outcome;
      const said = [...outcome.said, ...unsaid];
      unsaid = [];
      return { ...outcome, said };
    },
    /** No outcome comes any more. */
    close(): void {
      isOver = true;
      for (const { text } of unsaid) log('warn', text);
      unsaid = [];
    },
  };
}
