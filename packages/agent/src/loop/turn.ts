/** Gets the answer for one turn and retries after errors and stream rules. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Fields } from 'anyhook';
import { z } from 'zod';
import type { AssistantMessage, Message } from '../session/message.ts';
import { askModel, type Question } from './ask-model.ts';
import { compactByItself } from './compaction.ts';
import type { NamedAgent } from './config-hooks.ts';
import { failureOf } from './failure.ts';
import { modelMessages } from './model-messages.ts';
import type { StreamRules } from './stream-rules.ts';
import { systemPrompt } from './system-prompt.ts';
import { hide, type Talk } from './talk.ts';

export type Answer =
  | { readonly kind: 'answered'; readonly message: AssistantMessage }
  | { readonly kind: 'aborted'; readonly message: AssistantMessage }
  | { readonly kind: 'failed'; readonly why: string };
export type ModelTools = Question['tools'];

export async function answerOf(talk: Talk, tools: ModelTools, rules: StreamRules): Promise<Answer> {
  const { life, signal, listen, who, session } = talk;
  const { attempts, firstDelayMs } = life.settings.retry;
  let attempt = 0;
  let hasMadeRoom = false;
  for (;;) {
    const { message, error, rules: matched } = await askModel(talk, await questionOf(talk, tools), rules);
    if (signal.aborted) return { kind: 'aborted', message };
    if (matched.length > 0) {
      rules.spoke(matched);
      await life.wire.ruleTriggered(who, matched);
      for (const rule of matched)
        hide(
          session,
          'rule',
          `<rule>\n${String(rule['text'])}\n</rule>\nYour answer was stopped because it went against this rule. Answer again, and follow it.`,
        );
      listen({
        kind: 'notice',
        level: 'info',
        text: `stopped by a rule: ${matched.map(({ name, pattern }) => name ?? pattern).join(', ')}`,
      });
      continue;
    }
    if (error === undefined) {
      if (attempt > 0) await life.wire.retryEnd(who, { success: true, attempt });
      return { kind: 'answered', message };
    }
    const failure = failureOf(error);
    if (failure.kind === 'overflow' && !hasMadeRoom) {
      hasMadeRoom = true;
      if (await compactByItself(talk, 'overflow')) continue;
    }
    if (failure.kind !== 'again' || attempt >= attempts) {
      if (attempt > 0) await life.wire.retryEnd(who, { success: false, attempt, error: failure.message });
      return { kind: 'failed', why: failure.message };
    }
    attempt++;
    const delayMs = failure.afterMs ?? firstDelayMs * 2 ** (attempt - 1);
    await life.wire.retryStart(who, { attempt, maxAttempts: attempts, delayMs, error: failure.message });
    listen({ kind: 'retrying', attempt, inMs: delayMs, why: failure.message });
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return { kind: 'aborted', message };
  }
}

/** Builds the request after every hook that may change it. */
async function questionOf(talk: Talk, tools: ModelTools): Promise<Question> {
  const { life, who, session } = talk;
  const { id, provider, contextTokens } = life.model;
  const messages = await life.wire.modelContext(
    who,
    session.context().map(({ entry, message }) => ({ ...message, id: entry })),
  );
  const own = talk.system === undefined ? systemPrompt(talk) : [talk.system];
  const system = await life.wire.modelSystem(who, own, { providerID: provider, modelID: id });
  const parameters = await life.wire.modelParameters(who, {
    model: { id, modelID: id, providerID: provider, limit: { context: contextTokens, output: 0 } },
    provider: { id: provider },
    message: messages.findLast((message) => (message as Message).role === 'user'),
    options: {},
    headers: {},
  });
  return { system: system.join('\n\n'), messages: modelMessages(messages as Message[]), tools, parameters };
}

/** Tool descriptions for the model, after hooks changed them. */
export async function offered({ life, who, agent }: Talk): Promise<ModelTools> {
  const tools = life.tools().filter(({ name }) => agent === undefined || name !== 'task');
  const shown: Question['tools'][number][] = [];
  for (const tool of tools) {
    const own =
      tool.parameters ?? (z.toJSONSchema(tool.schema, { io: 'input', unrepresentable: 'any' }) as Fields);
    const { description, parameters } = await life.wire.toolOffered(who, {
      tool: tool.name,
      description: tool.description + (tool.name === 'task' ? typesIn(life.hooked.agents) : ''),
      parameters: own,
    });
    shown.push({ name: tool.name, description, parameters: (parameters ?? own) as Fields });
  }
  return shown;
}

/** Agent types that hooks added to the settings. */
const typesIn = (agents: readonly NamedAgent[]): string =>
  agents.length === 0
    ? ''
    : `\nTypes:\n${agents.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}`;
