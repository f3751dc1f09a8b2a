/** Navigates the session tree, with an optional summary of the branch that is left. */

import { contextOf } from '../session/context-of.ts';
import type { Entry } from '../session/entry.ts';
import { textOf } from '../session/message.ts';
import type { Session } from '../session/session.ts';
import { messageOf } from './failure.ts';
import { SUMMARY_PROMPT, summarize } from './summarize.ts';
import type { Talk } from './talk.ts';

/**
 * Returns the leaf after navigating to an entry. For a prompt it is the entry before it, so that the user can edit it.
 */
export function landing(
  session: Session,
  id: string,
): { readonly leaf: string | null; readonly text?: string } | undefined {
  const entry = session.entry(id);
  if (entry === undefined) return undefined;
  if (entry.type !== 'message' || entry.message.role !== 'user') return { leaf: id };
  return { leaf: entry.parentId, text: textOf(entry.message) };
}

/** Returns false if a hook refused. */
export async function navigate(talk: Talk, target: string, wantsSummary: boolean): Promise<boolean> {
  const { life, session, who, listen } = talk;
  const place = landing(session, target);
  if (place === undefined) {
    listen({ kind: 'notice', level: 'error', text: `the session has no entry ${target}` });
    return false;
  }
  const oldLeaf = session.leaf;
  const left = leftBehind(session, place.leaf);
  const commonAncestor = left[0] === undefined ? oldLeaf : left[0].parentId;
  const advice = await life.wire.navigating(who, {
    target,
    oldLeaf,
    commonAncestor,
    entriesToSummarize: left,
    wantsSummary,
  });
  if (advice.cancelled !== undefined) {
    listen({ kind: 'notice', level: 'info', text: `navigation cancelled: ${advice.cancelled}` });
    return false;
  }
  const given = wantsSummary ? advice.summary : undefined;
  const text =
    given?.['summary'] ?? (wantsSummary && left.length > 0 ? await summaryOf(talk, left) : undefined);
  if (talk.signal.aborted) {
    listen({ kind: 'notice', level: 'info', text: 'navigation cancelled: you stopped it' });
    return false;
  }
  session.moveTo(place.leaf);
  const entry =
    typeof text === 'string'
      ? session.append({
          type: 'branch_summary',
          summary: text,
          fromId: oldLeaf ?? '',
          ...(given?.['details'] !== undefined && { details: given['details'] }),
        })
      : undefined;
  if (place.text !== undefined) life.person.dialogs?.setEditorText?.(place.text);
  await life.wire.navigated(who, {
    newLeaf: session.leaf,
    oldLeaf,
    ...(entry && { summary: entry }),
    fromHook: given !== undefined,
  });
  return true;
}

/** Entries of the old branch that are not on the path to the new leaf. */
function leftBehind(session: Session, to: string | null): Entry[] {
  const kept = new Set(session.branch(to).map(({ id }) => id));
  return session.branch().filter(({ id }) => !kept.has(id));
}

async function summaryOf(talk: Talk, left: readonly Entry[]): Promise<string | undefined> {
  talk.listen({ kind: 'notice', level: 'info', text: 'writing a summary of what you leave behind …' });
  try {
    return await summarize(
      talk,
      contextOf(left).map(({ message }) => message),
      SUMMARY_PROMPT,
    );
  } catch (error) {
    if (talk.signal.aborted) return undefined;
    talk.listen({ kind: 'notice', level: 'warning', text: `no summary of the branch: ${messageOf(error)}` });
    return undefined;
  }
}
