/** What a handler's answer means, word by word. An answer that makes no sense is a failure, not silence. */
import { diff, isPlain } from '../../canon/changes.ts';
import { cancel, context, deny, type Effect, type Fields, type Gift } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import { changesIn } from '../../canon/lexicon.ts';
import type { Answer } from '../../canon/outcome.ts';
import { ourMessages } from './messages.ts';
import type { OmpEvent } from './names.ts';
import { tools } from './tools.ts';

export const PI_GAVE_NO_REASON = 'blocked by an oh-my-pi hook that gave no reason';

/** Any truthy value is an answer; what is no object has none of the fields. */
export function readHandlerAnswer(value: unknown, event: Event, word: string): Answer {
  const read = READ[word as OmpEvent];
  if (read === undefined || typeof value !== 'object' || value === null) return { effects: [] };
  const said = read(value as Fields, event); // an object of whatever class: it may well say `block`
  return typeof said === 'string'
    ? { effects: [], failed: { kind: 'unreadable', detail: said } }
    : { effects: said };
}

/** The effects, or what is wrong with the answer. */
type ReadFields = (said: Fields, event: Event) => Effect[] | string;

const contextIn = ({ additionalContext }: Fields): Effect[] =>
  typeof additionalContext === 'string' && additionalContext.trim() !== ''
    ? [context(additionalContext)]
    : [];
const change = (field: string, said: Fields, event: Event): Effect[] =>
  said[field] === undefined ? [] : diff(field, (event.payload as Fields)[field], said[field]);
const gift = (what: Gift, value: unknown): Effect[] =>
  value === undefined ? [] : [{ kind: 'give', what, value }];
const cancelOr =
  (given: (said: Fields) => Effect[]): ReadFields =>
  (said) =>
    said['cancel'] ? [cancel()] : given(said);

const READ: { readonly [W in OmpEvent]?: ReadFields } = {
  tool_call(said, event) {
    const { block, reason, input } = said;
    if (block) return [deny(typeof reason === 'string' && reason !== '' ? reason : PI_GAVE_NO_REASON)];
    if (input !== undefined && !isPlain(input)) return "the 'input' it returned is no object";
    return [...(input === undefined ? [] : changesIn(tools, event, input)), ...contextIn(said)];
  },
  tool_result(said, event) {
    const changes = ['content', 'details', 'isError'].flatMap((field) => change(field, said, event));
    return [...changes, ...contextIn(said)];
  },
  context: (said, event) =>
    change(
      'messages',
      { messages: ourMessages(said['messages'], (event.payload as Fields)['messages']) },
      event,
    ),
  before_agent_start: ({ message }) => gift('message', message),
  session_before_switch: cancelOr(() => []),
  session_before_branch: cancelOr(({ skipConversationRestore }) =>
    skipConversationRestore ? gift('skip-restore', true) : [],
  ),
  session_before_compact: cancelOr(({ compaction }) => gift('compaction', compaction)),
  session_before_tree: cancelOr(({ summary }) => gift('summary', summary)),
  'session.compacting': (said, event) => [
    ...change('context', said, event),
    ...change('prompt', said, event),
    ...gift('preserve', said['preserveData']),
  ],
};
