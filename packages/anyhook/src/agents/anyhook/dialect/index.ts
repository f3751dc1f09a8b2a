import { EVERYTHING } from '../../../events/capabilities.ts';
import type { Dialect, Sharing } from '../../../events/dialect.ts';
import { readConfig } from './config.ts';
import * as output from './output.ts';
import { packs } from './packs.ts';
import * as payload from './payload.ts';
import { places } from './places.ts';
import { EVENT_NAMES, type EventName, isEventName, rowOf } from '../../../events/events.ts';
import type { FailureKind } from '../../../events/exchange.ts';
import type { Hook, OnFailure, OnOpaque } from '../../../events/hook.ts';
import { decides } from '../../../events/roles.ts';
import type { ToolColumn, ToolName, ToolWords } from '../../../events/tools.ts';

/**
 * The canon's tools under their own names; arguments too, so there is nothing to rename. What is several of them in one
 * our hooks hear act by act.
 */
const own = <T extends ToolName>(tool: T): ToolWords<T> => ({ names: [tool], args: {} });

const TOOL_COLUMN: ToolColumn = {
  shell: own('shell'),
  read: own('read'),
  write: own('write'),
  edit: own('edit'),
  'multi-edit': own('multi-edit'),
  patch: null,
  editor: null,
  glob: own('glob'),
  grep: own('grep'),
  fetch: own('fetch'),
  task: own('task'),
  todo: own('todo'),
};

/** In turn, each sees what the one before it changed; the first refusal ends it, because nothing is left to judge. */
const IN_TURN: Sharing = Object.freeze({
  order: 'in-turn',
  sees: 'so-far',
  stopsOn: Object.freeze(['deny', 'cancel'] as const),
  keep: 'all',
});
const sharing = (): Sharing => IN_TURN;

/** The canon's words are our own: every event goes by its one name. */
const WORDS = Object.freeze(
  Object.fromEntries(EVENT_NAMES.map((name) => [name, Object.freeze([name])])),
) as Readonly<Record<EventName, readonly [EventName]>>;

export { modulePlaces, type ModulePlace } from './places.ts';
export { readMatcher, type OwnMatcherRead } from './match.ts';

/** Our own dialect: the canon's words as they are. */
export const anyhook: Dialect<'anyhook'> = {
  name: 'anyhook',
  words: WORDS,
  tools: TOOL_COLUMN,
  sharing,
  failure,
  opaque,
  can: EVERYTHING,
  config: {
    entry: {
      matcher: { key: 'match', in: 'entry' },
      timeout: { key: 'timeoutMs', unit: 'ms' },
      failsClosed: '"onFailure": "block"',
    },
    places,
    read: readConfig,
  },
  payload: { read: payload.readPayload, write: payload.writePayload },
  packs,
  output: { read: output.read, write: output.write },
};

/**
 * Closed where the action can still be refused and the hook is a guard or a mutator. A hook that is a mutator only is closed
 * after a call too, and the result is withheld, because the hook may have been there to redact it. Open elsewhere:
 * to keep an agent from stopping because a script has a typo protects nobody.
 */
function failure(word: string, _why: FailureKind, { roles }: Hook): OnFailure {
  if (!isEventName(word)) return 'allow';
  const isMutator = roles.includes('mutator');
  if (isMutator && roles.length === 1 && rowOf(word).withheld !== undefined) return 'block';
  return (isMutator || roles.includes('guard')) && decides(word) ? 'block' : 'allow';
}

/** Where a question still helps, a guard whose matcher cannot tell is one; elsewhere it costs nothing to be asked. */
function opaque(word: string, { roles, background }: Hook): OnOpaque {
  return roles.includes('guard') && !background && isEventName(word) && decides(word) ? 'ask' : 'run';
}
