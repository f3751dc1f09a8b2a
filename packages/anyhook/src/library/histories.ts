/** Keeps the history that rules of one program read, across reloads. Loaded with the first rule. */

import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Reply } from '../events/exchange.ts';
import { type Hook, isRule, type WayOf } from '../events/hook.ts';
import type { Ruling } from '../events/outcome.ts';
import type { History } from '../history/history.ts';
import type { JournalFolders, JournalHistory } from '../history/journal-history.ts';
import type * as RuleJudge from './rule-judge.ts';

export class Histories {
  /** The history of another part of anyhook, which also fills it. */
  readonly #given: History | undefined;
  #code: typeof RuleJudge | undefined;
  #memory: History | undefined;
  #journal: { readonly history: JournalHistory; readonly key: string } | undefined;
  #isInJournal = false;
  #isOn = false;

  constructor(given: History | undefined) {
    this.#given = given;
  }

  /** Loads what rules need, if there are any. `journal` is undefined if none is written. */
  async load(hooks: readonly Hook[], journal: JournalFolders | undefined): Promise<void> {
    this.#isOn = hooks.some(isRule);
    if (!this.#isOn) return;
    this.#code ??= await import('./rule-judge.ts');
    this.#isInJournal = journal !== undefined;
    const key = JSON.stringify(journal);
    if (journal === undefined) this.#memory ??= this.#code.memoryHistory();
    else if (this.#journal?.key !== key) this.#journal = { history: this.#code.journalHistory(journal), key };
  }
  /** Whether rules need the event although no hook listens to it. */
  wants(name: EventName): boolean {
    return this.#isOn && this.#code?.HISTORY_EVENTS.has(name) === true;
  }
  /** Adds an answered event, if no journal keeps it. */
  note(event: Event, ruling: Ruling): void {
    if (this.#given !== undefined || this.#isInJournal || !this.wants(event.name)) return;
    this.#memory?.note(this.#code!.loggedEvent(event, ruling, Date.now()));
  }
  /** Called after each attempt to write a record. */
  written(session: string, isInFile: boolean): void {
    this.#journal?.history.written(session, isInFile);
  }
  judge(way: WayOf<'rule'>, call: Event, project: string): Reply {
    const history = this.#given ?? (this.#isInJournal ? this.#journal?.history : this.#memory);
    if (this.#code === undefined || history === undefined)
      return { kind: 'broken', why: { kind: 'unavailable', detail: 'no history was opened' } };
    return this.#code.answerRule(way, call, { history, project });
  }
}
