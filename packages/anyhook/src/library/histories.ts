/** Keeps the history that rules of one program read, across reloads. Loaded with the first rule. */

import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Reply } from '../events/exchange.ts';
import type { Hook, WayOf } from '../events/hook.ts';
import type { Ruling } from '../events/outcome.ts';
import type { HistoryQuery, PastCall } from '../events/past-calls.ts';
import type { History } from '../history/history.ts';
import type { JournalHistory } from '../history/journal-history.ts';
import type { JournalFolders } from '../history/log-follower.ts';
import { PendingCalls } from './pending-calls.ts';
import type * as RuleJudge from './rule-judge.ts';

const MOST_SEEN = 1000;

export class Histories {
  /** The history of another part of anyhook, which also fills it. */
  readonly #reportsFailures: boolean;
  readonly #given: History | undefined;
  #code: typeof RuleJudge | undefined;
  #memory: History | undefined;
  #journal: { readonly history: JournalHistory; readonly key: string } | undefined;
  #isInJournal = false;
  #tests: RuleJudge.CallTests | undefined;
  #rules: readonly WayOf<'rule'>[] = [];
  readonly #pending = new PendingCalls();
  /** Sessions with more than one event in this process. A process that answers one event prepares nothing. */
  readonly #seen = new Set<string>();
  #folders: JournalFolders | undefined;

  constructor(given: History | undefined, reportsFailures: boolean) {
    this.#given = given;
    this.#reportsFailures = reportsFailures;
  }

  /** Loads what rules need, if there are any. `journal` is undefined if none is written. */
  async load(hooks: readonly Hook[], journal: JournalFolders | undefined): Promise<void> {
    this.#folders = journal;
    this.#isInJournal = journal !== undefined;
    this.#rules = hooks.map(({ run }) => run).filter((run) => run.kind === 'rule');
    if (this.#rules.length > 0) await this.#open();
  }
  /** Whether rules need the event although no hook listens to it. */
  wants(name: EventName): boolean {
    return this.#rules.length > 0 && this.#code?.HISTORY_EVENTS.has(name) === true;
  }
  /** Called with each answered event. Prepares the next answer, so that no single call pays for a long session. */
  note(event: Event, ruling: Ruling): void {
    this.#pending.recorded(event);
    if (this.#given !== undefined || !this.wants(event.name)) return;
    const { session } = event.ids;
    if (!this.#isInJournal) this.#memory?.note(this.#code!.loggedEvent(event, ruling, Date.now()));
    if (this.#seen.has(session)) return this.#code!.prepareRules(this.#history!, session, this.#rules);
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    this.#seen.add(session);
  }
  /** Called after each attempt to write a record. */
  written(session: string, isInFile: boolean): void {
    this.#journal?.history.written(session, isInFile);
  }
  /** For modules. Without rules and without a journal, there is no history. */
  async read(session: string, query: HistoryQuery, project: string): Promise<readonly PastCall[]> {
    if (this.#given === undefined && !this.#isInJournal && this.#memory === undefined)
      throw new Error('session.history: no journal is written, so there is no history');
    const { CallTests, readPastCalls } = await this.#open();
    const test = (this.#tests ??= new CallTests()).of(query.match ?? '*');
    return readPastCalls(this.#history!.session(session), test, query, project);
  }
  judge(way: WayOf<'rule'>, call: Event, project: string): Reply {
    const history = this.#history;
    if (this.#code === undefined || history === undefined)
      return { kind: 'broken', why: { kind: 'unavailable', detail: 'no history was opened' } };
    const isLimit = way.rule.kind === 'limit';
    const pending = isLimit ? this.#pending.count(way, call) : 0;
    const reply = this.#code.answerRule(way, call, {
      history,
      project,
      pending,
      reportsFailures: this.#reportsFailures,
    });
    if (isLimit && reply.kind === 'returned' && reply.value === undefined) this.#pending.add(way, call);
    return reply;
  }

  get #history(): History | undefined {
    return this.#given ?? (this.#isInJournal ? this.#journal?.history : this.#memory);
  }
  async #open(): Promise<typeof RuleJudge> {
    const code = (this.#code ??= await import('./rule-judge.ts'));
    const folders = this.#folders;
    const key = JSON.stringify(folders);
    if (folders === undefined) this.#memory ??= code.memoryHistory();
    else if (this.#journal?.key !== key) this.#journal = { history: code.journalHistory(folders), key };
    return code;
  }
}
