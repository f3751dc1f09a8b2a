/** Runs turns until the model is done or something stops it. */

import type { AssistantMessage } from '../session/message.ts';
import { textOf } from '../session/message.ts';
import { compactByItself, isOverThreshold } from './compaction.ts';
import { streamRules } from './stream-rules.ts';
import { hide, hideContexts, type Talk } from './talk.ts';
import { runCalls } from './tool-calls.ts';
import { answerOf, offered } from './turn.ts';

export interface Ending {
  readonly why: 'done' | 'aborted' | 'max-turns' | 'halted' | 'error';
  readonly detail?: string;
}
const REMINDERS = 3;

export async function runLoop(talk: Talk): Promise<Ending> {
  const { life, session, who, signal, listen } = talk;
  const rules = streamRules(life.settings.streamRules);
  const tools = await offered(talk);
  let reminders = 0;
  for (let index = 0; ; index++) {
    if (signal.aborted) return { why: 'aborted' };
    if (index >= life.settings.maxTurns) return { why: 'max-turns', detail: `${index} turns` };
    if (isOverThreshold(talk) && !(await compactByItself(talk, 'threshold')) && signal.aborted)
      return { why: 'aborted' };
    listen({ kind: 'turn', index });
    await life.wire.turnStart(who, index);
    const id = session.newId(); // Hooks get the message id before the answer begins.
    const turn = { ...talk, who: { ...who, message: id } };
    const answer = await answerOf(turn, tools, rules);
    if (answer.kind === 'failed') return { why: 'error', detail: answer.why };
    if (answer.message.content.length > 0) session.say(answer.message, id);
    if (answer.kind === 'aborted') return { why: 'aborted' };
    const { messages, contexts, halt } = await runCalls(turn, answer.message);
    for (const message of messages) session.say(message);
    hideContexts(session, contexts);
    await life.wire.turnEnd(turn.who, { index, message: answer.message, toolResults: [...messages] });
    if (halt !== undefined) return { why: 'halted', detail: halt };
    if (signal.aborted) return { why: 'aborted' };
    const hasMore = (await talk.takeQueued()) || messages.length > 0;
    if (hasMore) continue;
    if (reminders < REMINDERS && talk.todos.open.length > 0) {
      await remind(talk, ++reminders);
      continue;
    }
    const stop = await wantsToStop(talk, answer.message);
    if (stop !== 'goes on') return stop;
  }
}

async function remind({ life, who, session, todos }: Talk, attempt: number): Promise<void> {
  await life.wire.todoReminder(who, { todos: [...todos.open], attempt, maxAttempts: REMINDERS });
  const open = todos.open.map(({ content, status }) => `- ${content} (${status})`).join('\n');
  hide(
    session,
    'todo-reminder',
    `These todos are still open:\n${open}\nGo on with them, or mark those that are done or not wanted any more.`,
  );
}

/** Hooks may resume the agent. The library limits how often in a row. */
async function wantsToStop(talk: Talk, message: AssistantMessage): Promise<Ending | 'goes on'> {
  const { life, who, session, agent } = talk;
  const last = textOf(message);
  const advice =
    agent === undefined
      ? await life.wire.turnStop(who, last)
      : await life.wire.subagentStop(who, agent.type, last);
  hideContexts(session, advice.contexts);
  if (advice.halt !== undefined) return { why: 'halted', detail: advice.halt };
  if (advice.resume === undefined || talk.signal.aborted)
    return { why: talk.signal.aborted ? 'aborted' : 'done' };
  hide(session, 'stop-hook', advice.resume);
  return 'goes on';
}
