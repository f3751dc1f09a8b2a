import { EVERYTHING } from '../../../events/capabilities.ts';
import type { Dialect, Sharing } from '../../../events/dialect.ts';
import { EVENT_NAMES, type EventName, isEventName, rowOf } from '../../../events/events.ts';
import type { FailureKind } from '../../../events/exchange.ts';
import type { Hook, OnFailure, OnOpaque } from '../../../events/hook.ts';
import { decides } from '../../../events/roles.ts';
import type { ToolColumn, ToolName, ToolWords } from '../../../events/tools.ts';
import { readConfig } from './config.ts';
import * as output from './output.ts';
import { packs } from './packs.ts';
import * as payload from './payload.ts';
import { places } from './places.ts';

/**
 * Common tools under their own names, so arguments keep their names. For tools that combine several actions, our hooks
 * run for each action.
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

/**
 * Hooks run in order, and each sees the changes of earlier ones. The first refusal ends the group, because nothing is
 * left to judge.
 */
const IN_TURN: Sharing = Object.freeze({
  order: 'in-turn',
  sees: 'so-far',
  stopsOn: Object.freeze(['deny', 'cancel'] as const),
  keep: 'all',
});
const sharing = (): Sharing => IN_TURN;

/** Our event names are the common ones, so every event has exactly one name. */
const WORDS = Object.freeze(
  Object.fromEntries(EVENT_NAMES.map((name) => [name, Object.freeze([name])])),
) as Readonly<Record<EventName, readonly [EventName]>>;

export { modulePlaces, type ModulePlace } from './places.ts';
export { readMatcher, type OwnMatcherRead } from './match.ts';

/** Our own dialect: common event and tool names without translation. */
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
 * A failed guard or mutator refuses if the action can still be refused. A failed mutator also withholds the result
 * after a call, because it may redact it. Other failures pass: keeping an agent from stopping due to a typo in a script
 * protects nobody.
 */
function failure(word: string, _why: FailureKind, { roles }: Hook): OnFailure {
  if (!isEventName(word)) return 'allow';
  const isMutator = roles.includes('mutator');
  if (isMutator && roles.length === 1 && rowOf(word).withheld !== undefined) return 'block';
  return (isMutator || roles.includes('guard')) && decides(word) ? 'block' : 'allow';
}

/** A guard whose matcher cannot decide asks if a question is possible. Other hooks run, which costs nothing. */
function opaque(word: string, { roles, background }: Hook): OnOpaque {
  return roles.includes('guard') && !background && isEventName(word) && decides(word) ? 'ask' : 'run';
}
