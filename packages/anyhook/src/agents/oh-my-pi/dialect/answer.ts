/** Converts the answer of a handler to effects, event by event. An invalid answer is a failure, not silence. */

import { diff, isPlain } from '../../../events/changes.ts';
import { cancel, context, deny, type Effect, type Fields, type Gift } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { changesIn } from '../../../events/lexicon.ts';
import type { Answer } from '../../../events/outcome.ts';
import { ourMessages } from './messages.ts';
import type { OmpEvent } from './names.ts';
import { tools } from './tools.ts';

export const PI_GAVE_NO_REASON = 'blocked by an oh-my-pi hook without a reason';

/** The extension has handled the prompt, so the model must not receive it. */
const HANDLED = 'An extension handled this prompt, so it is not sent to the model.';

/** Any truthy value is an answer; a non-object has no fields. */
export function readHandlerAnswer(value: unknown, event: Event, word: string): Answer {
  const read = READ[word as OmpEvent];
  if (read === undefined || typeof value !== 'object' || value === null) return { effects: [] };
  const result = read(value as Fields, event); // an object of any class, which may contain `block`
  return typeof result === 'string'
    ? { effects: [], failed: { kind: 'unreadable', detail: result } }
    : { effects: result };
}

/** Returns the effects, or what is wrong with the answer. */
type ReadFields = (answer: Fields, event: Event) => Effect[] | string;

const contextIn = ({ additionalContext }: Fields): Effect[] =>
  typeof additionalContext === 'string' && additionalContext.trim() !== ''
    ? [context(additionalContext)]
    : [];
const change = (field: string, answer: Fields, event: Event): Effect[] =>
  answer[field] === undefined ? [] : diff(field, (event.payload as Fields)[field], answer[field]);
/** A handler does not see context from hooks of other agents. Its own is appended and replaces none. */
function addedContext({ context: added }: Fields, event: Event): Effect[] {
  const { context: given } = event.payload as Fields;
  const whole = Array.isArray(given) && Array.isArray(added) ? [...(given as unknown[]), ...added] : added;
  return change('context', { context: whole }, event);
}
const gift = (what: Gift, value: unknown): Effect[] =>
  value === undefined ? [] : [{ kind: 'give', what, value }];
const cancelOr =
  (given: (answer: Fields) => Effect[]): ReadFields =>
  (answer) =>
    answer['cancel'] ? [cancel()] : given(answer);

const READ: { readonly [W in OmpEvent]?: ReadFields } = {
  /** pi answers with an `action`, oh-my-pi with `handled` or only the new text. */
  input(answer, event) {
    const { action, handled, text } = answer;
    if (action === 'handled' || (action === undefined && handled === true)) return [deny(HANDLED)];
    if (action === 'continue' || text === undefined) return [];
    if (typeof text !== 'string') return "the returned 'text' is not a string";
    return change('prompt', { prompt: text }, event);
  },
  tool_call(answer, event) {
    const { block, reason, input } = answer;
    if (block) return [deny(typeof reason === 'string' && reason !== '' ? reason : PI_GAVE_NO_REASON)];
    if (input !== undefined && !isPlain(input)) return "the returned 'input' is not an object";
    return [...(input === undefined ? [] : changesIn(tools, event, input)), ...contextIn(answer)];
  },
  tool_result(answer, event) {
    const changes = ['content', 'details', 'isError'].flatMap((field) => change(field, answer, event));
    return [...changes, ...contextIn(answer)];
  },
  context: (answer, event) =>
    change(
      'messages',
      { messages: ourMessages(answer['messages'], (event.payload as Fields)['messages']) },
      event,
    ),
  before_agent_start: ({ message }) => gift('message', message),
  session_before_switch: cancelOr(() => []),
  session_before_branch: cancelOr(({ skipConversationRestore }) =>
    skipConversationRestore ? gift('skip-restore', true) : [],
  ),
  session_before_compact: cancelOr(({ compaction }) => gift('compaction', compaction)),
  session_before_tree: cancelOr(({ summary }) => gift('summary', summary)),
  'session.compacting': (answer, event) => [
    ...addedContext(answer, event),
    ...change('prompt', answer, event),
    ...gift('preserve', answer['preserveData']),
  ],
};
