/** Which answers Codex accepts. An unexpected field discards the whole answer. */

import { isPlain } from '../../../events/changes.ts';
import { shown } from '../../../events/checker.ts';
import type { Fields } from '../../../events/effects.ts';
import { NO_REASON } from '../../../events/proceed.ts';
import { textIn } from '../../shared/claude-shaped/translation.ts';
import type { AnswerForms, ShapedEvent, StrictAnswers } from '../../shared/command-shaped/terms.ts';

const KEYS = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'reason',
  'hookSpecificOutput',
];
const objectIn = (fields: Fields, key: string): Fields => (isPlain(fields[key]) ? fields[key] : {});
const specificIn = (answer: Fields): Fields => objectIn(answer, 'hookSpecificOutput');

export const codexStrictness: StrictAnswers = {
  fault(answer, row, word) {
    const stray = Object.keys(answer).find((key) => !KEYS.includes(key));
    if (stray !== undefined) return `unknown key ${shown(stray)}`;
    const specific = specificIn(answer);
    const named = specific['hookEventName'];
    if (named !== undefined && named !== word)
      return `"hookEventName" is ${shown(named)}, the event is ${word}`;
    if (answer['continue'] === false && row.stop === undefined) return `"continue" means nothing on ${word}`;
    return decisionFault(answer, row, word) ?? (row.on === 'tool.before' ? callFault(specific) : undefined);
  },
  refusal(answer) {
    const specific = specificIn(answer);
    const inner = objectIn(specific, 'decision');
    const words = [answer['decision'], specific['permissionDecision'], inner['behavior']];
    return words.includes('block') || words.includes('deny')
      ? (textIn(answer, 'reason') ??
          textIn(specific, 'permissionDecisionReason') ??
          textIn(inner, 'message') ??
          NO_REASON)
      : undefined;
  },
};

function decisionFault(answer: Fields, { block }: ShapedEvent, word: string): string | undefined {
  const { decision } = answer;
  if (decision === undefined) return undefined;
  if (decision !== 'block') return `decision ${shown(decision)} is not read`;
  if (textIn(answer, 'reason') === undefined) return '"decision": "block" needs a "reason"';
  return block === null ? `nothing can be blocked on ${word}` : undefined;
}

function callFault(specific: Fields): string | undefined {
  const { permissionDecision: decision, updatedInput: updated } = specific;
  if (decision === 'deny')
    return textIn(specific, 'permissionDecisionReason') === undefined
      ? 'a deny needs a "permissionDecisionReason"'
      : undefined;
  return (decision === 'allow' && isPlain(updated)) || (decision === undefined && updated === undefined)
    ? undefined
    : '"permissionDecision" must be deny with a reason, or allow with "updatedInput"';
}

/** Before a call an approval only counts as part of a change. Permission requests have their own answer format. */
export const codexAnswers: AnswerForms = {
  keys: [],
  read(answer, { on }) {
    const { permissionDecision, permissionDecisionReason, ...specific } = specificIn(answer);
    const judged =
      on === 'tool.permission'
        ? behaviorIn(specific)
        : on === 'tool.before' && permissionDecision === 'deny'
          ? { permissionDecision, permissionDecisionReason }
          : {};
    return { ...answer, hookSpecificOutput: { ...specific, ...judged } };
  },
  write({ hookSpecificOutput, ...answer }, { on }) {
    const {
      hookEventName,
      permissionDecision,
      permissionDecisionReason: _,
      ...specific
    } = isPlain(hookSpecificOutput) ? hookSpecificOutput : {};
    const reply: Fields = {
      ...('updatedInput' in specific && { permissionDecision }),
      ...(on === 'tool.permission' &&
        permissionDecision === 'allow' && { decision: { behavior: permissionDecision } }),
      ...specific,
    };
    return Object.keys(reply).length === 0
      ? answer
      : { ...answer, hookSpecificOutput: { hookEventName, ...reply } };
  },
};

function behaviorIn(specific: Fields): Fields {
  const decision = objectIn(specific, 'decision');
  switch (decision['behavior']) {
    case 'allow':
      return { permissionDecision: 'allow' };
    case 'deny':
      return {
        permissionDecision: 'deny',
        permissionDecisionReason: textIn(decision, 'message') ?? 'refused by a hook without a reason',
      };
    default:
      return {};
  }
}
