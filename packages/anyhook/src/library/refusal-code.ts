/** What only sessions with a refused call load: reading acts from calls, and finding repeated ones. */

import { BY_USER } from '../approvals/answer-kind.ts';
import { fitOf, isOpaque } from '../engine/fit.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { Ruling, Sticky } from '../events/outcome.ts';
import { actText, type CallAct } from '../history/act-targets.ts';
import { callPieces, exactCall } from '../history/call-acts.ts';
import { HistoryFault } from '../history/history.ts';
import { type JournalFolders, LogFollower } from '../history/log-follower.ts';
import { answeredIn, RefusalLog } from '../history/refusal-log.ts';
import { SCRIPT_FILES } from './script-files.ts';

export { exactCall, HistoryFault, RefusalLog };
export { reasonOf } from '../history/refusal-log.ts';
export type { Refusal } from '../history/refusal-log.ts';

export const followRefusals = (folders: JournalFolders): LogFollower<RefusalLog> =>
  new LogFollower(folders, {
    make: () => new RefusalLog(),
    add(log, record) {
      const answered = answeredIn(record);
      if (answered !== undefined) log.add(answered);
    },
    // Few records concern refusals, and a process that answers one event reads the whole journal.
    texts: (log) => ['"sticky":', '"gap":', ...log.asked.map((call) => `"call":${JSON.stringify(call)}`)],
  });

export const actsIn = (event: Event, home: string): readonly CallAct[] =>
  callPieces(event, home, SCRIPT_FILES).flatMap(({ acts }) => acts);

/** What to remember of a refusal; undefined if nothing of the call can be recognised again. */
export function remembered(ruling: Ruling, event: Event, hook: Hook, home: string): Sticky | undefined {
  const isUsers = ruling.approval?.kind === 'refuse';
  const pieces = callPieces(event, home, SCRIPT_FILES);
  const chosen = pieces.filter(({ payload }) => selects(hook, { ...event, payload } as Event));
  // A hook without a matcher for parts looked at the whole call.
  const counted = (chosen.length > 0 && hook.when !== undefined ? chosen : pieces).flatMap(
    ({ acts }) => acts,
  );
  const acts = [...new Set(counted.filter(({ isGuess }) => isGuess !== true).map(actText))];
  if (acts.length === 0 || acts.length > MOST_ACTS) return undefined;
  return {
    kind: 'remembered',
    by: isUsers ? BY_USER : hook.id,
    acts,
    call: exactCall(event),
    ...((isUsers || isPreset(hook)) && { isFinal: true }),
  };
}
/** A longer list is a script of its own, and no later call contains all of it. */
const MOST_ACTS = 50;

const isPreset = ({ run }: Hook): boolean => run.kind === 'call' && run.isPreset === true;

function selects(hook: Hook, event: Event): boolean {
  const { tool } = event.payload as { readonly tool: string };
  if (hook.match.kind === 'names' && hook.when !== undefined && !hook.match.names.includes(tool))
    return false;
  const fit = fitOf(hook, event);
  return fit !== false && !isOpaque(fit);
}
