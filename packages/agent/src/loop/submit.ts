/** Submits a prompt. Hooks may refuse it, change it or add context. */

import type { Fields, Outcome } from 'anyhook';
import { changedIn, giftsIn, refusedFor } from '../hooks/outcomes.ts';
import { type Content, contentIn, type ImagePart } from '../session/message.ts';
import { withOutputs } from './prompt-shell.ts';
import { hideContexts, putIn, type Talk } from './talk.ts';

export interface Prompt {
  readonly text: string;
  readonly images: readonly ImagePart[];
  /** The id of the message, if the caller needs it in advance. */
  readonly id?: string;
  /** Shell commands in the text that are replaced by their output. */
  readonly commands?: readonly string[];
}
export type SubmitResult =
  | { readonly kind: 'taken'; readonly text: string; readonly id: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Context follows the user's text, as in Goose. A refused prompt is not stored, because it may contain a secret. */
export async function submit(
  talk: Talk,
  { text: written, images, id: given, commands = [] }: Prompt,
  earlier: readonly string[] = [],
): Promise<SubmitResult> {
  const { life, who, session, listen } = talk;
  const { text, contexts, halt } = await withOutputs(talk, written, commands);
  if (halt !== undefined) return { kind: 'refused', why: halt };
  const id = given ?? session.newId();
  const timestamp = Date.now();
  const { provider, id: model } = life.model;
  const outcome = await life.wire.promptSubmit(who, {
    prompt: text,
    message: { id, role: 'user', content: text, timestamp, provider, model },
    parts: [{ type: 'text', text }, ...images],
  });
  const why = await refusalOf(talk, outcome);
  if (why !== undefined) {
    session.append({ type: 'custom', customType: 'prompt-refused', data: { why } });
    return { kind: 'refused', why };
  }
  const content = contentFrom(outcome.payload, text, changedIn(outcome));
  const final = textIn(content);
  listen({ kind: 'prompt', text: final });
  const [only, ...more] = content;
  session.say(
    { role: 'user', content: only?.type === 'text' && more.length === 0 ? only.text : content, timestamp },
    id,
  );
  hideContexts(session, [...earlier, ...contexts, ...outcome.forModel]);
  for (const message of giftsIn(outcome, 'message')) putIn(talk, message);
  const title = outcome.gift('title');
  if (title !== undefined) session.append({ type: 'label', target: null, label: title });
  return { kind: 'taken', text: final, id };
}

async function refusalOf({ life, signal }: Talk, outcome: Outcome): Promise<string | undefined> {
  if (outcome.proceed !== 'ask') return refusedFor(outcome);
  const isFine = await life.person.dialogs?.confirm('Send this prompt?', outcome.reason, signal);
  return isFine === true ? undefined : `it needs the user's consent: ${outcome.reason}`;
}

/**
 * Hooks can change `prompt` or `parts`. If both changed and differ, `prompt` replaces the first text part and the
 * other parts are kept.
 */
function contentFrom({ prompt, parts }: Fields, was: string, changed: readonly string[]): Content[] {
  const content = contentIn(Array.isArray(parts) ? (parts as unknown[]) : []);
  const isOfParts = changed.some((field) => field.startsWith('parts'));
  if (isOfParts && (prompt === was || prompt === textIn(content))) return content;
  const promptText = String(prompt);
  const [, ...added] = content.filter(({ type }) => type === 'text') as Extract<Content, { type: 'text' }>[];
  return [
    { type: 'text', text: promptText },
    ...(isOfParts ? added.filter(({ text }) => !promptText.includes(text)) : []),
    ...content.filter(({ type }) => type !== 'text'),
  ];
}

const textIn = (content: readonly Content[]): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
