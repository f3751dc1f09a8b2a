/** What background hooks say in the end reaches the model with the next event of their session that takes context. */
import type { Event } from '../../canon/event.ts';
import { rowOf } from '../../canon/events.ts';
import type { Ruling, Run } from '../../canon/outcome.ts';

const PER_SESSION = 100;
const REMEMBERED = 1000;

export function makeLate() {
  const waiting = new Map<string, Ruling['said'][number][]>();
  return {
    heard({ hook, answer }: Run, event: Event): void {
      const said = (answer?.effects ?? []).flatMap((effect) =>
        effect.kind === 'context' || effect.kind === 'notice'
          ? [
              {
                by: hook,
                to: effect.kind === 'context' ? ('model' as const) : ('person' as const),
                text: effect.text,
              },
            ]
          : [],
      );
      if (said.length === 0) return;
      const { session } = event.ids;
      if (waiting.size >= REMEMBERED && !waiting.has(session)) waiting.clear();
      waiting.set(session, [...(waiting.get(session) ?? []), ...said].slice(-PER_SESSION));
    },
    join(outcome: Ruling, event: Event): Ruling {
      if (waiting.size === 0 || outcome.verdict === 'deny' || !rowOf(event.name).effects.includes('context'))
        return outcome;
      const said = waiting.get(event.ids.session);
      if (said === undefined) return outcome;
      waiting.delete(event.ids.session);
      return { ...outcome, said: [...said, ...outcome.said] };
    },
  };
}
