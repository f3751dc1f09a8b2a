/** A model that judges for prompt hooks, apart from the conversation: its own deadline, its own budget, no hooks around it. */
import { generateText } from 'ai';
import type { Services } from 'anyhook';
import type { OpenedModel } from '../models/open-model.ts';
import { onTrack } from '../models/track.ts';

export interface JudgeTerms {
  /** Without hooks around its requests: a hook on `model.request` that asks the judge would wait for itself. */
  open(model: string | undefined): Promise<OpenedModel>;
  readonly timeoutMs: number;
  readonly maxCalls: number;
}
const LONGEST_ANSWER = 1024;

export function makeJudge(terms: () => JudgeTerms): NonNullable<Services['judge']> {
  let calls = 0;
  return async (prompt, { model, signal }) => {
    const { open, timeoutMs, maxCalls } = terms();
    if (++calls > maxCalls)
      throw new Error(
        `prompt hooks have asked the model ${maxCalls} times in this session, the most the settings allow (judge.maxCalls)`,
      );
    const opened = await open(model);
    const { text } = await generateText({
      model: opened.model,
      prompt,
      maxOutputTokens: LONGEST_ANSWER,
      maxRetries: 1,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      providerOptions: onTrack('judge'),
    });
    return text;
  };
}
