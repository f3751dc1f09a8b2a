/** A model that plays a script: deterministic and offline. */

import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3Message,
} from '@ai-sdk/provider';
import { APICallError } from 'ai';
import { NoModel } from './no-model.ts';
import type { Script, Step } from './script.ts';
import { played, type PlayedStep, streamed, guessedTokens } from './scripted-parts.ts';

/** All text of a request that a user or tool wrote, in any part. Names and ids are left out. */
const allText = (prompt: LanguageModelV3Prompt): string => prompt.flatMap(textsOf).join('\n');

/** Text since the last model answer: user messages, tool results, hook context. */
function newText(prompt: LanguageModelV3Prompt): string {
  const answered = prompt.findLastIndex(({ role }) => role === 'assistant');
  return allText(prompt.slice(answered + 1).filter(({ role }) => role !== 'system'));
}

function textsOf(message: LanguageModelV3Message): readonly string[] {
  if (message.role === 'system') return [message.content];
  return message.content.flatMap((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return part.text;
      case 'tool-call':
        return stringsIn(part.input);
      case 'tool-result':
        return stringsIn('value' in part.output ? part.output.value : (part.output.reason ?? ''));
      default:
        return [];
    }
  });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

export function scriptedModel(script: Script): LanguageModelV3 {
  const done = new Map<string, Set<Step>>();
  const ids = new Map<string, number>();

  async function play(options: LanguageModelV3CallOptions): Promise<{ step: Step; said: PlayedStep }> {
    options.abortSignal?.throwIfAborted();
    const { track, conversation } = askedFor(options);
    const key = JSON.stringify([track, conversation]);
    const past = done.get(key) ?? new Set();
    done.set(key, past);
    const step = nextStep(script, track, past, options.prompt);
    past.add(step);
    if (step.delayMs !== undefined) await pause(step.delayMs, options.abortSignal);
    if (step.error !== undefined) throw providerError(step.error, script.file);
    const caller = conversation ?? (track === 'main' ? 'call' : track);
    const first = 1 + Math.max(ids.get(caller) ?? 0, callsIn(options.prompt));
    ids.set(caller, first + (step.calls?.length ?? 0) - 1);
    return { step, said: played(step, first, caller, guessedTokens(options.prompt)) };
  }

  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: script.model ?? 'scripted',
    supportedUrls: {},
    async doGenerate(options) {
      const { step, said } = await play(options);
      if (step.cut === true) throw lostConnection(script.file);
      const { content, usage, reason } = said;
      return {
        content: [...content],
        usage,
        finishReason: { unified: reason, raw: reason },
        warnings: [],
      };
    },
    async doStream(options) {
      const { step, said } = await play(options);
      return {
        stream: ReadableStream.from(paced(step, said, { file: script.file, signal: options.abortSignal })),
      };
    },
  };
}

async function* paced(
  { pieceMs = 0, cut = false }: Step,
  turn: PlayedStep,
  { file, signal }: { readonly file: string; readonly signal: AbortSignal | undefined },
): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  for (const part of streamed(turn)) {
    if (cut && part.type === 'finish') throw lostConnection(file);
    await pause(pieceMs, signal);
    yield part;
  }
}

/** Yields to other work even without a delay, like a real network stream. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    if (ms === 0) await immediate();
    else await sleep(ms, undefined, signal && { signal });
    signal?.throwIfAborted();
  } catch {
    signal?.throwIfAborted();
  }
}

function askedFor({ providerOptions }: LanguageModelV3CallOptions): { track: string; conversation?: string } {
  const { track, conversation } = providerOptions?.['scripted'] ?? {};
  return {
    track: typeof track === 'string' ? track : 'main',
    ...(typeof conversation === 'string' && { conversation }),
  };
}

/** The first unplayed step whose conditions hold. */
function nextStep(
  { tracks, file }: Script,
  track: string,
  past: ReadonlySet<Step>,
  prompt: LanguageModelV3Prompt,
): Step {
  const own = Object.hasOwn(tracks, track) ? tracks[track] : undefined;
  const steps = own ?? (track.startsWith('task:') ? tracks['task'] : undefined);
  if (steps === undefined) {
    throw new NoModel(
      `${file}: the script has no track '${track}', and was asked for it. It has: ${Object.keys(tracks).join(', ')}.`,
    );
  }
  const found = steps.find(
    (step) => (step.repeat === true || !past.has(step)) && holds(step.when ?? {}, prompt),
  );
  if (found !== undefined) return found;
  const asked = newText(prompt).slice(0, 200);
  throw new NoModel(
    `${file}: the track '${track}' is at its end: ${past.size} of its ${steps.length} steps were played and no other fits. ` +
      `Add a step; what it would answer: ${JSON.stringify(asked)}`,
  );
}

function holds(when: NonNullable<Step['when']>, prompt: LanguageModelV3Prompt): boolean {
  const last = newText(prompt);
  const all = allText(prompt);
  return (
    last.includes(when.lastIncludes ?? '') &&
    all.includes(when.anyIncludes ?? '') &&
    (when.lastLacks === undefined || !last.includes(when.lastLacks)) &&
    (when.anyLacks === undefined || !all.includes(when.anyLacks))
  );
}

const callsIn = (prompt: LanguageModelV3Prompt): number =>
  prompt.flatMap(({ role, content }) =>
    role === 'assistant' ? content.filter(({ type }) => type === 'tool-call') : [],
  ).length;

function providerError(error: NonNullable<Step['error']>, file: string): APICallError {
  const { status, message, retryAfterMs } = error;
  return new APICallError({
    message,
    url: `scripted:${file}`,
    requestBodyValues: {},
    statusCode: status,
    responseBody: JSON.stringify({ error: { message } }),
    // Headers in both spellings, as real providers send them.
    responseHeaders:
      retryAfterMs === undefined
        ? {}
        : { 'retry-after-ms': String(retryAfterMs), 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
  });
}

/** Has the same form as the error that provider packages report for a lost connection. */
function lostConnection(file: string): APICallError {
  const socket = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new APICallError({
    message: 'Failed to process successful response',
    url: `scripted:${file}`,
    requestBodyValues: {},
    statusCode: 200,
    cause: new TypeError('terminated', { cause: socket }),
    isRetryable: true,
  });
}
