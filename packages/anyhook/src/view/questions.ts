/** Open questions for the page, and the answers that it sends. */

import { userInfo } from 'node:os';
import { ANSWER_KINDS, type AnswerKind } from '../approvals/answer-kind.ts';
import type { Pin } from '../approvals/pin.ts';
import type { Question } from '../approvals/question.ts';
import { revealed, revealedText } from '../approvals/reveal.ts';
import { type ApprovalStore, isHeld } from '../approvals/store.ts';
import { answerQuestion } from '../console/answer-question.ts';
import { callText, questionId } from '../console/question-lines.ts';
import type { Locations } from '../events/dialect.ts';
import { isFields } from '../events/fields.ts';
import { shortPath } from '../render/screen.ts';
import type { ActionReply } from './serve.ts';
import type { QuestionsPart, ShownQuestion } from './wire.ts';

const LOOK_MS = 250;
const LONGEST_NOTE = 4000;

export interface QuestionsOptions {
  readonly store: ApprovalStore;
  readonly pin: Pin;
  readonly locations: Required<Locations>;
  /** Why the page may not answer; undefined if it may. */
  readonly whyNot: string | undefined;
}

/** What the page shows. Texts are made safe here, because hooks and models wrote them. */
export function questionsPart({ store, pin, locations, whyNot }: QuestionsOptions): QuestionsPart {
  return {
    questions: store.list().map((question) => shownQuestion(question, locations)),
    needsPin: pin.isSet,
    ...(whyNot !== undefined && { whyNot }),
  };
}

function shownQuestion(question: Question, { home }: Locations): ShownQuestion {
  const { hash, agent, title, session, project, folder, subagent, tool, event, changed, reasons } = question;
  const place = (path: string) => revealed(shortPath(path, { cwd: '', home }), 200);
  return {
    hash,
    id: questionId(question),
    agent: revealed(agent, 60),
    session: revealed(title ?? session, 160),
    project: place(project),
    ...(folder !== project && { folder: place(folder) }),
    ...(subagent !== undefined && { subagent: revealed(subagent, 60) }),
    wants: revealed(tool ?? event, 80),
    call: revealedText(callText(question, '\n')),
    ...(question.callBytes !== undefined && { callBytes: question.callBytes }),
    changed: changed.map((field) => revealed(field, 80)),
    reasons: reasons.map(({ hook, text }) => ({
      hook: revealed(hook.replaceAll(`${home}/`, '~/'), 200),
      text: revealed(text, 1000),
    })),
    askedAt: question.askedAt,
    ...(isHeld(question) && { heldUntil: question.heldUntil! }),
    failedNotices: (question.failedNotices ?? []).map((text) => revealed(text, 200)),
  };
}

/** Calls back with every change until the returned function is called. Counts as somebody who sees questions. */
export function followQuestions(options: QuestionsOptions, write: (part: QuestionsPart) => void): () => void {
  const stopWatching = options.whyNot === undefined ? options.store.watch() : () => {};
  let before = '';
  const look = (): void => {
    const part = questionsPart(options);
    const text = JSON.stringify(part);
    if (text !== before) write(part);
    before = text;
  };
  look();
  const timer = setInterval(look, LOOK_MS).unref();
  return () => {
    clearInterval(timer);
    stopWatching();
  };
}

/** The body comes from a browser, or from a program that poses as one. */
export function answerFromPage(body: unknown, options: QuestionsOptions): ActionReply {
  const { store, pin, locations, whyNot } = options;
  if (whyNot !== undefined) return { status: 403, value: { error: whyNot } };
  const given = answerIn(body);
  if (given === undefined) return { status: 400, value: { error: 'this is not an answer to a question' } };
  const verdict = pin.check(given.pin);
  if (verdict !== 'right')
    return {
      status: 403,
      value: { error: verdict === 'wait' ? 'too many wrong PINs: wait 30 s' : 'wrong PIN' },
    };
  const question = store.question(given.hash);
  if (question === undefined) return { status: 404, value: { error: 'this question is not open any more' } };
  const { kind, note } = given;
  const by = { where: 'view', who: userInfo().username };
  const result = answerQuestion(question, { ...by, kind, ...(note !== undefined && { note }) }, locations);
  if (result === 'needs-signer')
    return { status: 403, value: { error: 'only an approver whom the policy names may answer this' } };
  return result === 'answered'
    ? { status: 200, value: { answered: kind } }
    : { status: 409, value: { error: 'this question was answered elsewhere' } };
}

interface AnswerBody {
  readonly hash: string;
  readonly kind: AnswerKind;
  readonly note?: string;
  readonly pin?: string;
}

function answerIn(body: unknown): AnswerBody | undefined {
  if (!isFields(body)) return undefined;
  const { hash, kind, note, pin, ...rest } = body;
  const isSound =
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    ANSWER_KINDS.some((known) => known === kind) &&
    (note === undefined || (typeof note === 'string' && note.length <= LONGEST_NOTE)) &&
    (pin === undefined || typeof pin === 'string') &&
    Object.keys(rest).length === 0;
  return isSound ? (body as unknown as AnswerBody) : undefined; // every field was checked above
}
