/** Writes an outcome for a Goose agent: exit code and stderr for all versions, and JSON. */

import { cutText } from '../../../events/cut.ts';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import type { Outcome } from '../../../events/outcome.ts';
import { CONTEXT_BYTES, REASON_BYTES } from './limits.ts';

export function writeReply(outcome: Outcome, event: Event): Reply {
  const reason = refusedFor(outcome);
  if (reason !== undefined) {
    const stdout = JSON.stringify({ decision: 'block', reason });
    return { kind: 'exited', code: 2, stdout, stderr: reason };
  }
  const contextText = additionalContextOf(outcome);
  const banner = event.name === 'session.start' ? outcome.forPerson.join('\n') : '';
  const answer = {
    ...(contextText !== '' && { additionalContext: contextText }),
    ...(banner !== '' && { banner }),
  };
  if (Object.keys(answer).length === 0) return { kind: 'exited', code: 0, stdout: '', stderr: '' };
  // Current Goose treats a document without a decision as a failure.
  const stdout = JSON.stringify(event.name === 'tool.before' ? { decision: 'allow', ...answer } : answer);
  return { kind: 'exited', code: 0, stdout, stderr: '' };
}

/** Returns the reason for blocking; undefined if not blocked. */
export function refusedFor({ proceed, verdict, reason, reasons, runs }: Outcome): string | undefined {
  if (proceed !== 'no' && verdict !== 'ask') return undefined;
  if (!reasons.some(({ broken }) => broken)) return cutText(reason, REASON_BYTES);
  const texts = reasons.map(({ by, text, broken }) => (broken ? failureText(by, runs) : text));
  return cutText(texts.filter(Boolean).join('\n'), REASON_BYTES);
}

/** The text for the model marks a failure as such, and omits the command and path of the failed hook. */
function failureText(by: string, runs: Outcome['runs']): string {
  const failed = runs.find(({ hook, answer }) => hook === by && answer?.failed !== undefined)?.answer?.failed;
  return `a hook failed (${failed?.kind ?? 'aborted'}), and its failure policy blocks the call`;
}

/** Joins the context in order, one text per line, up to Goose's limit. */
export const additionalContextOf = ({ forModel }: Outcome): string =>
  cutText(forModel.join('\n'), CONTEXT_BYTES);
