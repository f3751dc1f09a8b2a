/** How plugins share one hook: in load order, on one `output`. */

import type { Sharing } from '../../../events/dialect.ts';
import type { FailureKind } from '../../../events/exchange.ts';
import type { OnFailure } from '../../../events/hook.ts';
import { isEventWord } from './names.ts';

const row = (order: Sharing['order'], stopsOn: Sharing['stopsOn']): Sharing =>
  Object.freeze({ order, sees: order === 'detached' ? 'original' : 'so-far', stopsOn, keep: 'all' });

const SHARED = row('in-turn', []);
/** A throw ends the chain, and a denial stands. */
const GATE = row('in-turn', ['deny']);
/** The bus does not wait. */
const BUS = row('detached', []);

/** Hooks whose throw prevents the action. */
export const GATES: ReadonlySet<string> = new Set([
  'tool.execute.before',
  'permission.ask',
  'chat.message',
  'command.execute.before',
]);

export const sharing = (word: string): Sharing => (isEventWord(word) ? BUS : GATES.has(word) ? GATE : SHARED);

/** A failed gate refuses, like a throw. A plugin that does not load is skipped and reported, as in OpenCode. */
export const failure = (word: string, why: FailureKind): OnFailure =>
  GATES.has(word) && why !== 'not-loaded' ? 'block' : 'allow';
