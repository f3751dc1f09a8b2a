/** A handler answers by return. What it throws is a failure: `tool_call` closes by it, the rest is passed over. */
import type { Effect, Fields, Gift } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import type { Reply, ReturnReply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { type Answer, type Outcome, wasChanged } from '../../../events/outcome.ts';
import { readBroken } from '../../../events/printout.ts';
import { readHandlerAnswer } from './answer.ts';
import { readExit } from './script.ts';

export const output = { read, write };

function read(reply: Reply, event: Event, hook: Hook): Answer {
  if (reply.kind === 'returned') return readReturned(reply, event, hook);
  if (reply.kind === 'exited') return readExit(reply, event, hook);
  if (reply.kind === 'threw') return { effects: [], failed: { kind: 'failed', detail: reply.message } };
  if (reply.kind === 'broken') return readBroken(reply, (ended) => readExit(ended, event, hook));
  return { effects: [], failed: { kind: 'unreadable', detail: `a ${reply.kind} reply` } };
}

/** Only an extension can turn a failed call into a success, or the reverse: `isError` of a hook module is not applied. */
function readReturned(reply: ReturnReply, event: Event, hook: Hook): Answer {
  const answer = readHandlerAnswer(answerOf(reply, hook), event, hook.on);
  if (hook.on !== 'tool_result' || hook.extra?.['extension'] === true) return answer;
  const changesStatus = (effect: Effect) => effect.kind === 'set' && effect.at[0] === 'isError';
  if (!answer.effects.some(changesStatus)) return answer;
  return {
    ...answer,
    effects: answer.effects.filter((effect) => !changesStatus(effect)),
    notes: { ...answer.notes, notApplied: ['isError'] },
  };
}

/** What an extension writes into its event's `input` reaches the tool; what a hook module writes there does not. */
function answerOf({ value, args: [event] }: ReturnReply, { on, extra }: Hook): unknown {
  if (on !== 'tool_call' || extra?.['extension'] !== true) return value;
  const { input } = (event ?? {}) as Fields;
  return typeof value === 'object' && value !== null ? { input, ...value } : { input };
}

/** For an oh-my-pi agent: the result its own handlers would have returned; nothing where there is nothing to say. */
function write(outcome: Outcome, event: Event): ReturnReply {
  const said = WRITE[event.name]?.(outcome) ?? {};
  return { kind: 'returned', value: Object.keys(said).length === 0 ? undefined : said, args: [] };
}

const toldIn = ({ forModel }: Outcome): Fields =>
  forModel.length === 0 ? {} : { additionalContext: forModel.join('\n\n') };
const changedIn = (outcome: Outcome, ...fields: readonly string[]): Fields =>
  Object.fromEntries(
    fields.filter((field) => wasChanged(outcome, field)).map((field) => [field, outcome.payload[field]]),
  );
const givenIn = ({ gift }: Outcome, what: Gift, as: string): Fields => {
  const value = gift(what);
  return value === undefined ? {} : { [as]: value };
};
const cancelled = ({ proceed }: Outcome, otherwise: Fields = {}): Fields =>
  proceed === 'yes' ? otherwise : { cancel: true };

const WRITE: { readonly [E in EventName]?: (outcome: Outcome) => Fields } = {
  'prompt.submit': (outcome) =>
    outcome.proceed !== 'yes'
      ? { action: 'handled' }
      : wasChanged(outcome, 'prompt')
        ? { action: 'transform', text: outcome.payload['prompt'] }
        : {},
  'tool.before': (outcome) =>
    outcome.proceed !== 'yes'
      ? { block: true, reason: outcome.reason }
      : { ...changedIn(outcome, 'input'), ...toldIn(outcome) },
  'tool.after': (outcome) => ({ ...changedIn(outcome, 'content', 'details', 'isError'), ...toldIn(outcome) }),
  'tool.failed': toldIn,
  'model.context': (outcome) => changedIn(outcome, 'messages'),
  'agent.before': (outcome) => givenIn(outcome, 'message', 'message'),
  'session.switching': (outcome) => cancelled(outcome),
  'session.branching': (outcome) =>
    cancelled(outcome, givenIn(outcome, 'skip-restore', 'skipConversationRestore')),
  'session.navigating': (outcome) => cancelled(outcome, givenIn(outcome, 'summary', 'summary')),
  'compaction.before': (outcome) => cancelled(outcome, givenIn(outcome, 'compaction', 'compaction')),
  'compaction.prompt': (outcome) => ({
    ...changedIn(outcome, 'context', 'prompt'),
    ...givenIn(outcome, 'preserve', 'preserveData'),
  }),
};
