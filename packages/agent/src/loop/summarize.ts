/** Asks the model for a summary of the conversation. */

import { generateText } from 'ai';
import { askedFrom } from '../hooks/actor.ts';
import { onTrack } from '../models/track.ts';
import type { Message } from '../session/message.ts';
import { modelMessages } from './model-messages.ts';
import { smallModel } from './small-model.ts';
import type { Talk } from './talk.ts';

export const SUMMARY_PROMPT =
  'Summarize the conversation above for the agent that goes on with it and will see nothing else of it: what the person ' +
  'wants, what was done and decided and why, which files were read and changed, what failed, what is open, what comes ' +
  'next. Be exact about names, paths and commands. Write the summary and nothing else.';

export async function summarize(talk: Talk, messages: readonly Message[], prompt: string): Promise<string> {
  const { life, who, signal } = talk;
  const { model } = (await smallModel(talk)) ?? life.model;
  const { text } = await askedFrom(who, () =>
    generateText({
      model,
      messages: [...modelMessages(messages), { role: 'user', content: prompt }],
      maxRetries: 2,
      abortSignal: signal,
      providerOptions: onTrack('summary'),
    }),
  );
  if (text.trim() === '') throw new Error('the model gave no summary');
  return text;
}
