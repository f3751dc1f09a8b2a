/** How handlers of one event share it: the document's section on ordering, as rows. */
import type { Sharing } from '../../../events/dialect.ts';
import type { OnFailure } from '../../../events/hook.ts';

const row = (sees: Sharing['sees'], stopsOn: Sharing['stopsOn'], keep: Sharing['keep']): Sharing =>
  Object.freeze({ order: 'in-turn', sees, stopsOn: Object.freeze(stopsOn), keep });

/** Handlers of these events are only notified: each sees the original. */
const TOLD = row('original', [], 'all');
const LATEST = row('original', ['cancel'], 'last');
const ROWS: ReadonlyMap<string, Sharing> = new Map([
  ['tool_call', row('original', ['deny'], 'last')],
  // Field by field, each handler on what the one before it made: a redaction survives.
  ['tool_result', row('so-far', [], 'all')],
  // pi hands each handler the text that the one before it returned, and stops at the first that handled it.
  ['input', row('so-far', ['deny'], 'all')],
  ['context', row('so-far', [], 'all')],
  ['before_agent_start', row('original', [], 'first')],
  ['session_before_switch', LATEST],
  ['session_before_branch', LATEST],
  ['session_before_compact', LATEST],
  ['session_before_tree', LATEST],
  ['session.compacting', row('original', [], 'last')],
]);
export const sharing = (word: string): Sharing => ROWS.get(word) ?? TOLD;

/** A guard that breaks closes; everywhere else it is reported and passed over. */
export const failure = (word: string): OnFailure => (word === 'tool_call' ? 'block' : 'allow');
