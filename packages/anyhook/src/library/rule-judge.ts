/** What only programs with rules over time load: the history, and the answers from it. */

import { isAbsolute, relative } from 'node:path';
import { readCallTest } from '../agents/anyhook/dialect/read-rule.ts';
import type { Event } from '../events/event.ts';
import type { Reply } from '../events/exchange.ts';
import type { WayOf } from '../events/hook.ts';
import type { HistoryQuery, PastCall } from '../events/past-calls.ts';
import type { CallTest } from '../events/rule.ts';
import { type History, HistoryFault, MemoryHistory } from '../history/history.ts';
import { JournalHistory } from '../history/journal-history.ts';
import { judgeRule, positionOf, prepareRule, type RuleSituation } from '../history/judge-rule.ts';
import type { JournalFolders } from '../history/log-follower.ts';
import type { SessionLog } from '../history/session-log.ts';

export { HISTORY_EVENTS, loggedEvent } from '../history/logged-event.ts';

export const memoryHistory = (): MemoryHistory => new MemoryHistory();
export const journalHistory = (folders: JournalFolders): JournalHistory => new JournalHistory(folders);

/** A history that cannot be read is a failure, never consent. The rule then answers by its `onFailure`. */
export function answerRule(
  way: WayOf<'rule'>,
  call: Event,
  {
    history,
    project,
    pending,
    reportsFailures,
  }: Pick<RuleSituation, 'history' | 'reportsFailures'> & {
    readonly project: string;
    readonly pending: number;
  },
): Reply {
  try {
    const value = judgeRule(way, call, {
      history,
      isInProject: (cwd) => isBelow(project, cwd),
      nowMs: history.nowMs?.() ?? Date.now(),
      pending,
      reportsFailures,
    });
    return { kind: 'returned', value, args: [] };
  } catch (error) {
    if (!(error instanceof HistoryFault)) throw error;
    return { kind: 'broken', why: { kind: 'failed', detail: error.message } };
  }
}

/** Reads what is new and tests it for each rule. A fault is reported when a rule needs the history. */
export function prepareRules(history: History, session: string, rules: readonly WayOf<'rule'>[]): void {
  try {
    const log = history.session(session);
    for (const rule of rules) prepareRule(rule, log);
  } catch (error) {
    if (!(error instanceof HistoryFault)) throw error;
  }
}

function isBelow(project: string, cwd: string): boolean {
  const path = relative(project, cwd);
  return path === '' || (!path.startsWith('..') && !isAbsolute(path));
}

const MOST_TESTS = 100;

/** Compiled matchers of modules. Kept, because a log remembers which of its calls each of them selects. */
export class CallTests {
  readonly #tests = new Map<string, CallTest>();

  of(match: string): CallTest {
    const known = this.#tests.get(match);
    if (known !== undefined) return known;
    const { test, fault } = readCallTest(match);
    if (test === undefined) throw new TypeError(`session.history: ${JSON.stringify(match)}: ${fault}`);
    if (this.#tests.size >= MOST_TESTS) this.#tests.clear();
    this.#tests.set(match, test);
    return test;
  }
}

/** Answers a module. Calls in folders of other projects are left out. */
export function readPastCalls(
  log: SessionLog,
  test: CallTest,
  { state, since }: HistoryQuery,
  project: string,
): readonly PastCall[] {
  const after = positionOf(since, log);
  return log
    .matching(test)
    .filter(({ call }) => call.started > after && isBelow(project, call.cwd))
    .filter(({ call }) => state === undefined || call.state === state)
    .map(({ call: { views, atMs, state: became }, isSure }) => {
      const { tool, input } = views[0]!.payload as Pick<PastCall, 'tool' | 'input'>;
      return { tool, input, atMs, state: became, ...(!isSure && { isUncertain: true as const }) };
    });
}
