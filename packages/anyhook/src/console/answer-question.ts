/** Gives the user's answer to an open question and records it in the journal of its session. */

import { type AnswerKind, BY_USER } from '../approvals/answer-kind.ts';
import type { Question, UserAnswer } from '../approvals/question.ts';
import { type AnswerResult, ApprovalStore } from '../approvals/store.ts';
import type { Locations } from '../events/dialect.ts';
import { foldersOf } from '../gather/folders.ts';
import { openJournal } from '../journal/index.ts';
import { journalFolderOf, signersOf } from './journal-folder.ts';

export interface AnswerGiven {
  readonly kind: AnswerKind;
  readonly note?: string;
  /** Such as `terminal` or `view`. */
  readonly where: string;
  readonly who: string;
}

export const approvalStore = (locations: Locations): ApprovalStore =>
  new ApprovalStore(foldersOf(locations).approvals);

/** `needs-signer`: only an approver whom the administrator named may answer. */
export type GivenResult = AnswerResult | 'needs-signer';

/** The answer is recorded after it counts: a full disk must not keep a user from answering. Throws if it cannot be stored. */
export function answerQuestion(question: Question, given: AnswerGiven, locations: Locations): GivenResult {
  // An answer that does not count would take the place of the one that does.
  if (question.reasons.some(({ isManaged }) => isManaged) && Object.keys(signersOf(locations)).length > 0)
    return 'needs-signer';
  const answer: UserAnswer = { ...given, hash: question.hash, answeredAt: new Date().toISOString() };
  const result = approvalStore(locations).give(answer);
  if (result === 'answered') recordAnswer(question, answer, locations);
  return result;
}

/** Recorded as the agent's permission question, because the call itself has its own record. */
export function recordAnswer(question: Question, answer: UserAnswer, locations: Locations): void {
  const { hash, session, agent, folder, tool, call, askedAt, subagent } = question;
  const { kind, who, where, note, answeredAt } = answer;
  const journal = openJournal({
    folder: journalFolderOf(locations),
    heads: foldersOf(locations).heads,
    session,
    ...(locations.env !== undefined && { env: locations.env }),
  });
  journal.write({
    at: answeredAt,
    clockMs: Math.round(performance.now()),
    host: { name: agent },
    event: 'tool.permission',
    ids: { session, ...(subagent !== undefined && { agent: subagent }) },
    scene: { cwd: folder },
    verdict: kind === 'refuse' ? 'deny' : 'allow',
    reasons: [{ by: BY_USER, text: answerText(answer) }],
    approval: { hash, kind, who, where, waitedMs: Math.max(0, Date.parse(answeredAt) - Date.parse(askedAt)) },
    before: {
      ...(tool !== undefined && { tool }),
      input: inputIn(call),
      ...(note !== undefined && { note }),
    },
  });
  journal.close();
}

export const answerText = ({ kind, who, where, note }: Omit<UserAnswer, 'hash' | 'answeredAt'>): string => {
  const what = { once: 'approved once', session: 'approved for this session', refuse: 'refused' }[kind];
  return `${what} by ${who} (${where})${note === undefined || note === '' ? '' : `: ${note}`}`;
};

/** A long call was cut for display and is no JSON any more. */
function inputIn(call: string): unknown {
  try {
    return JSON.parse(call);
  } catch {
    return call;
  }
}
