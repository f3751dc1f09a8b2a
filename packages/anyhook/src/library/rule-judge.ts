/** What only programs with rules over time load: the history, and the answers from it. */

import { isAbsolute, relative } from 'node:path';
import type { Event } from '../events/event.ts';
import type { Reply } from '../events/exchange.ts';
import type { WayOf } from '../events/hook.ts';
import { type History, HistoryFault, MemoryHistory } from '../history/history.ts';
import { type JournalFolders, JournalHistory } from '../history/journal-history.ts';
import { judgeRule } from '../history/judge-rule.ts';

export { HISTORY_EVENTS, loggedEvent } from '../history/logged-event.ts';

export const memoryHistory = (): MemoryHistory => new MemoryHistory();
export const journalHistory = (folders: JournalFolders): JournalHistory => new JournalHistory(folders);

/** A history that cannot be read is a failure, never consent. The rule then answers by its `onFailure`. */
export function answerRule(
  way: WayOf<'rule'>,
  call: Event,
  { history, project }: { readonly history: History; readonly project: string },
): Reply {
  try {
    const value = judgeRule(way, call, {
      history,
      isInProject: (cwd) => isBelow(project, cwd),
      nowMs: history.nowMs?.() ?? Date.now(),
    });
    return { kind: 'returned', value, args: [] };
  } catch (error) {
    if (!(error instanceof HistoryFault)) throw error;
    return { kind: 'broken', why: { kind: 'failed', detail: error.message } };
  }
}

function isBelow(project: string, cwd: string): boolean {
  const path = relative(project, cwd);
  return path === '' || (!path.startsWith('..') && !isAbsolute(path));
}
