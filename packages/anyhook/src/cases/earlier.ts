/** The history that a case describes with `earlier`, in place of a journal. */

import { toolColumns } from '../dialects.ts';
import type { EventInput } from '../events/event.ts';
import { makeLexicon } from '../events/lexicon.ts';
import type { Ruling } from '../events/outcome.ts';
import { type History, MemoryHistory } from '../history/history.ts';
import { loggedEvent } from '../history/logged-event.ts';
import type { SessionLog } from '../history/session-log.ts';
import { makeEventOf } from '../library/event-of.ts';
import type { EarlierStep } from './suite.ts';

export class CaseHistory implements History {
  #past = new MemoryHistory();

  /** Forgets the case before, and fills the history of `session`. */
  start(session: string, cwd: string, steps: readonly EarlierStep[]): void {
    this.#past = new MemoryHistory();
    const eventOf = makeEventOf({ cwd, lexicon: makeLexicon(toolColumns()) });
    const note = (input: EventInput, verdict: Ruling['verdict'], atMs: number): void =>
      this.#past.note(loggedEvent(eventOf(input), { verdict }, atMs));
    for (const [at, step] of steps.entries()) {
      if (step.kind === 'prompt') {
        note(
          { name: 'prompt.submit', payload: { prompt: step.prompt }, ids: { session } },
          'none',
          Date.now(),
        );
        continue;
      }
      const { tool, input, outcome, agoMs, isElsewhere } = step;
      const ids = { session: isElsewhere ? `${session} elsewhere` : session, call: String(at) };
      const atMs = Date.now() - agoMs;
      note(
        { name: 'tool.before', payload: { tool, input }, ids },
        outcome === 'refused' ? 'deny' : 'none',
        atMs,
      );
      if (outcome === 'succeeded' || outcome === 'failed')
        note(
          { name: 'tool.after', payload: { tool, input, content: [], isError: outcome === 'failed' }, ids },
          'none',
          atMs,
        );
    }
  }
  note(): void {
    // a case says itself what happened
  }
  session(session: string): SessionLog {
    return this.#past.session(session);
  }
  since(): readonly SessionLog[] {
    return this.#past.since();
  }
}
