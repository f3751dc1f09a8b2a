/** Replaces the history by a summary: at a threshold, when the context window overflows, or on request. */

import type { Fields, Outcome } from 'anyhook';
import { giftsIn, refusedFor } from '../hooks/outcomes.ts';
import type { PlacedMessage } from '../session/context-of.ts';
import type { EntryOf } from '../session/entry.ts';
import { messageOf } from './failure.ts';
import { tokensIn } from './model-messages.ts';
import { SUMMARY_PROMPT, summarize } from './summarize.ts';
import { hideContexts, type Talk } from './talk.ts';

export interface How {
  readonly instructions?: string;
  /** Approximate number of recent tokens to keep besides the last exchange. */
  readonly keepTokens?: number;
}
export type CompactionResult =
  | { readonly kind: 'done'; readonly entry: EntryOf<'compaction'> }
  | { readonly kind: 'cancelled'; readonly why: string }
  | { readonly kind: 'nothing' };

/** Returns true if there is room and the agent may continue. Reports errors instead of throwing. */
export async function compactByItself(talk: Talk, reason: 'threshold' | 'overflow'): Promise<boolean> {
  const { life, who, listen, signal } = talk;
  await life.wire.autocompactionStart(who, reason);
  const ended = (more: Fields) =>
    life.wire.autocompactionEnd(who, {
      aborted: signal.aborted,
      willRetry: false,
      action: 'compact',
      ...more,
    });
  try {
    const { keepTokens } = life.settings.compaction;
    const done = await compact(
      talk,
      'auto',
      reason === 'threshold' ? { keepTokens: Math.min(keepTokens, life.model.contextTokens / 4) } : {},
    );
    if (done.kind !== 'done') {
      await ended({ skipped: true, ...(done.kind === 'cancelled' && { error: done.why }) });
      return false;
    }
    const goesOn = await life.wire.compactionContinue(who, reason === 'overflow');
    await ended({ result: done.entry, willRetry: reason === 'overflow' && goesOn });
    return goesOn;
  } catch (error) {
    await ended({ error: messageOf(error) });
    if (signal.aborted) return false;
    listen({
      kind: 'notice',
      level: 'warning',
      text: `the conversation could not be compacted: ${messageOf(error)}`,
    });
    return false;
  }
}

/** Whether the conversation exceeds its configured share of the context window. */
export function isOverThreshold({ life, session }: Talk): boolean {
  const { threshold } = life.settings.compaction;
  if (threshold === false) return false;
  const placed = session.context();
  const last = placed.findLastIndex(
    ({ message }) => message.role === 'assistant' && message.usage !== undefined,
  );
  const measured = placed[last]?.message;
  const since = session.branch().findLastIndex(({ type }) => type === 'compaction');
  const isMeasured = last > -1 && session.branch().findIndex(({ id }) => id === placed[last]!.entry) > since;
  const known =
    isMeasured && measured?.role === 'assistant' ? measured.usage!.input + measured.usage!.output : 0;
  const rest = tokensIn(placed.slice(isMeasured ? last + 1 : 0).map(({ message }) => message));
  return known + rest > threshold * life.model.contextTokens;
}

export async function compact(
  talk: Talk,
  trigger: 'manual' | 'auto',
  how: How = {},
): Promise<CompactionResult> {
  const { life, who, session, listen } = talk;
  const placed = session.context();
  const { instructions: wanted, keepTokens = 0 } = how;
  const cut = cutOf(placed, keepTokens);
  if (cut === 0) return { kind: 'nothing' };
  const summarized = placed.slice(0, cut).map(({ message }) => message);
  const tokensBefore = tokensIn(placed.map(({ message }) => message));
  const own = { firstKeptEntryId: placed[cut]?.entry ?? '', tokensBefore };
  const before = await life.wire.compactionBefore(who, {
    trigger,
    messageCount: placed.length,
    ...(wanted !== undefined && { instructions: wanted }),
    preparation: {
      ...own,
      messagesToSummarize: summarized,
      turnPrefixMessages: [],
      recentMessages: placed.slice(cut).map(({ message }) => message),
      isSplitTurn: false,
      fileOps: {},
      settings: life.settings.compaction,
    },
    entries: session.branch(),
  });
  const why = refusedFor(before);
  if (why !== undefined) return { kind: 'cancelled', why };
  listen({ kind: 'compacting', trigger });
  const given = before.gift('compaction');
  const made = given ?? (await summary(talk, summarized, before));
  const entry = session.append({
    type: 'compaction',
    ...own,
    ...soundParts(made, session),
    fromHook: given !== undefined,
  }) as EntryOf<'compaction'>;
  const after = session.context().length;
  const advice = await life.wire.compactionAfter(who, {
    trigger,
    summary: entry.summary,
    before: placed.length,
    after,
    entry,
    fromHook: given !== undefined,
  });
  hideContexts(session, advice.contexts);
  listen({ kind: 'compacted', summary: entry.summary, before: placed.length, after });
  return { kind: 'done', entry };
}

/**
 * Returns how many messages to summarize. Cuts only before a prompt, so that no call loses its result. On overflow it
 * keeps only the last exchange, or nothing if there is no other exchange.
 */
function cutOf(placed: readonly PlacedMessage[], keepTokens: number): number {
  let cut = placed.length;
  for (let kept = 0; cut > 0; cut--) {
    kept += tokensIn([placed[cut - 1]!.message]);
    if (kept > keepTokens) break;
  }
  const starts = placed.flatMap(({ message }, index) =>
    message.role === 'user' && hasNews(placed, index) ? [index] : [],
  );
  const whole = hasNews(placed, placed.length) && placed.length > 1 ? placed.length : 0;
  return starts.find((start) => start >= cut) ?? starts.at(-1) ?? whole;
}
/** False if only a summary would be summarized, which frees no space. */
const hasNews = (placed: readonly PlacedMessage[], end: number): boolean =>
  placed.slice(0, end).some(({ message }) => message.role !== 'compactionSummary');

async function summary(talk: Talk, messages: PlacedMessage['message'][], before: Outcome): Promise<Fields> {
  const instructions = before.payload['instructions'];
  const usual = typeof instructions === 'string' ? `${SUMMARY_PROMPT}\n\n${instructions}` : SUMMARY_PROMPT;
  const shown = { messages, context: [...before.forModel], prompt: usual };
  const outcome = await talk.life.wire.compactionPrompt(talk.who, shown);
  const { prompt, context } = outcome.payload as typeof shown;
  // One hook may replace the prompt while others add context. Keep both.
  const text = context.length === 0 ? prompt : `${prompt}\n\n${context.join('\n')}`;
  return { summary: await summarize(talk, messages, text), preserved: giftsIn(outcome, 'preserve') };
}

/** Keeps the valid parts of what a hook returned. An entry that it names must exist. */
function soundParts(
  { summary: text, firstKeptEntryId, tokensBefore, details, preserved }: Fields,
  session: Talk['session'],
) {
  return {
    summary: String(text),
    ...(typeof firstKeptEntryId === 'string' &&
      session.entry(firstKeptEntryId) !== undefined && { firstKeptEntryId }),
    ...(typeof tokensBefore === 'number' && { tokensBefore }),
    ...(details !== undefined && { details }),
    ...(Array.isArray(preserved) && preserved.length > 0 && { preserved }),
  };
}
