/** Questions and signed answers for programs that carry them between machines: `anyhook/approvals`. */

export type { AnswerKind } from '../approvals/answer-kind.ts';
export {
  parseAnswer,
  parseQuestion,
  type Question,
  showsItsCall,
  type UserAnswer,
} from '../approvals/question.ts';
export { isSigned, isSignerKey, makeSigner, signAnswer } from '../approvals/signature.ts';
export { type AnswerResult, ApprovalStore, isHeld } from '../approvals/store.ts';
export { recordAnswer } from '../console/answer-question.ts';
export { print as printLines, printJson, screenFor } from '../console/print.ts';
export { questionId, questionLine, questionLines } from '../console/question-lines.ts';
export { type QuestionSource, watchQuestions } from '../console/watch-questions.ts';
export { whyNoPerson } from '../gather/person.ts';
export { approvalsOf, type ApprovalsOfUser } from './approvals-of.ts';
