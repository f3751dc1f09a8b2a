/**
 * Converts Gemini's answers to the shared format of command hooks and back. It reads JSON from stdout, or from stderr
 * if stdout is empty.
 */

import { isPlain } from '../../../events/changes.ts';
import { shown } from '../../../events/checker.ts';
import { type Effect, type Fields, tightens } from '../../../events/effects.ts';
import type { Answer } from '../../../events/outcome.ts';
import { type Printout, refusedBoth, unreadable } from '../../../events/printout.ts';
import { NO_REASON } from '../../../events/proceed.ts';
import { textIn } from '../../shared/claude-shaped/translation.ts';
import type { AnswerForms, ExitParts, ReadExit, StrictAnswers } from '../../shared/command-shaped/terms.ts';

const DECISIONS = ['allow', 'approve', 'ask', 'block', 'deny'];
export const geminiStrictness: StrictAnswers = {
  fault({ decision }, { block }, word) {
    if (decision !== undefined && !DECISIONS.includes(decision as string))
      return `decision ${shown(decision)} is not known`;
    const isNo = decision === 'deny' || decision === 'block';
    return isNo && block === null ? `nothing can be refused on ${word}` : undefined;
  },
};

/**
 * Exit 2 refuses. Otherwise a JSON answer decides for any exit code. Without one, exit codes above 1 refuse if there is
 * a text.
 */
export const readGeminiExit: ReadExit = ({ code, stdout, stderr }, parts) => {
  const stream = stdout.trim() === '' ? 'stderr' : 'stdout';
  const text = (stream === 'stdout' ? stdout : stderr).trim();
  const printout = parts.printoutOf(text, stream);
  const answer = parts.read(printout);
  if (code === 2) return refusedByExit(answer.effects, printout, stderr.trim() || text, parts);
  if (code === 0 || printout.kind === 'document') return answer;
  const strictest = answer.effects.filter(tightens);
  if (code === 1) return { effects: strictest, failed: { kind: 'failed', detail: `exit 1: ${text}` } };
  if (text === '') return unreadable(`exit ${code} without output`, strictest);
  const no = parts.refused(text);
  return no === undefined
    ? unreadable(`exit ${code} does not block ${parts.word}`, strictest)
    : { effects: refusedBoth([no], strictest) };
};

/**
 * Exit 2 refuses whatever was printed, even without output. Gemini itself lets a JSON answer or missing output undo it.
 */
function refusedByExit(
  effects: readonly Effect[],
  printout: Printout,
  text: string,
  { word, refused }: ExitParts,
): Answer {
  const isDocument = printout.kind === 'document';
  const beside = effects.filter((effect) => (isDocument ? effect.kind !== 'set' : tightens(effect)));
  const no = refused((isDocument ? textIn(printout.value, 'reason') : text) || NO_REASON);
  if (no === undefined) return unreadable(`exit 2 does not block ${word}`, beside);
  return { effects: effects.some(tightens) ? beside : [no, ...beside] };
}

const specificIn = ({ hookSpecificOutput: specific }: Fields): Fields => (isPlain(specific) ? specific : {});

/** Every refusal is a `decision`, even for a call. A change needs no approval. */
export const geminiAnswers: AnswerForms = {
  keys: [],
  read(answer) {
    const { permissionDecision: _, ...specific } = specificIn(answer);
    const stopReason = textIn(answer, 'stopReason') ?? answer['reason'];
    return { ...answer, stopReason, hookSpecificOutput: specific };
  },
  write({ decision, reason, hookSpecificOutput, ...answer }) {
    const {
      permissionDecision: permission,
      permissionDecisionReason: why,
      ...specific
    } = specificIn({ hookSpecificOutput });
    return {
      ...answer,
      ...((decision !== undefined || permission === 'deny') && { decision: 'deny', reason: reason ?? why }),
      ...(Object.keys(specific).length > 1 && { hookSpecificOutput: specific }), // more than the event name
    };
  },
};
