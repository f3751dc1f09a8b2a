/** A prompt on its way in: hooks may refuse it, change it, add to it. */
import type { Fields, Outcome } from 'anyhook';
import { changedIn, giftsIn, refusedFor } from '../hooks/outcomes.ts';
import type { ImagePart } from '../session/message.ts';
import { hideContexts, putIn, type Talk } from './talk.ts';

export interface Prompt {
  readonly text: string;
  readonly images: readonly ImagePart[];
}
export type SubmitResult =
  | { readonly kind: 'taken'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Context goes behind the person's own words, as Goose has it; a refused prompt is not stored: it may hold a secret. */
export async function submit(
  talk: Talk,
  { text, images }: Prompt,
  earlier: readonly string[] = [],
): Promise<SubmitResult> {
  const { life, who, session, listen } = talk;
  const parts = [{ type: 'text', text }, ...images];
  const outcome = await life.wire.promptSubmit(who, {
    prompt: text,
    message: { role: 'user', content: text },
    parts,
  });
  const why = await refusalOf(talk, outcome);
  if (why !== undefined) {
    session.append({ type: 'custom', customType: 'prompt-refused', data: { why } });
    return { kind: 'refused', why };
  }
  const final = textFrom(outcome.payload, text, changedIn(outcome));
  listen({ kind: 'prompt', text: final });
  session.say({
    role: 'user',
    content: images.length === 0 ? final : [{ type: 'text', text: final }, ...images],
    timestamp: Date.now(),
  });
  hideContexts(session, [...earlier, ...outcome.forModel]);
  for (const message of giftsIn(outcome, 'message')) putIn(talk, message);
  const title = outcome.gift('title');
  if (typeof title === 'string') session.append({ type: 'label', target: null, label: title });
  return { kind: 'taken', text: final };
}

async function refusalOf({ life, signal }: Talk, outcome: Outcome): Promise<string | undefined> {
  if (outcome.proceed !== 'ask') return refusedFor(outcome);
  const isFine = await life.person.dialogs?.confirm('Send this prompt?', outcome.reason, signal);
  return isFine === true ? undefined : `it needs a person's consent: ${outcome.reason}`;
}

/** Two ways to change one text: where both were used, the prompt counts, and parts only for what they add. */
function textFrom({ prompt, parts }: Fields, was: string, changed: readonly string[]): string {
  const texts = (Array.isArray(parts) ? (parts as unknown[]) : []).flatMap((part) => {
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
    return type === 'text' && typeof text === 'string' ? [text] : [];
  });
  if (!changed.some((field) => field.startsWith('parts'))) return String(prompt);
  return prompt === was ? texts.join('\n\n') : [String(prompt), ...texts.slice(1)].join('\n\n');
}
