/** A question to the user about one exact call, and the answer to it. */

import { createHash } from 'node:crypto';
import { isFields } from '../events/fields.ts';
import { ANSWER_KINDS, type AnswerKind } from './answer-kind.ts';

/** The call that an approval covers. Any difference is another question. */
export interface AskedCall {
  readonly event: string;
  /** The payload after all changes by hooks. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly agent: string;
  readonly session: string;
  readonly project: string;
  /** The working directory of the call. */
  readonly folder: string;
  /** Ids of the hooks that ask. If another hook asks about the same call, that is another question. */
  readonly askers: readonly string[];
}

export interface AskReason {
  /** Id of the hook. */
  readonly by: string;
  /** Its name and place, for display. */
  readonly hook: string;
  readonly text: string;
  /** The hook belongs to the administrator of the machine. */
  readonly isManaged: boolean;
}

export interface Question {
  /** The hash of the call, which an answer must repeat. */
  readonly hash: string;
  /** New for each question, so that a signed answer cannot be used for an equal call that is asked about later. */
  readonly nonce: string;
  readonly askedAt: string;
  readonly expiresAt: string;
  readonly agent: string;
  /** The user and machine, for a question of another machine. */
  readonly from?: string;
  readonly project: string;
  readonly folder: string;
  readonly session: string;
  /** The first prompt of the session, if it is known. */
  readonly title?: string;
  readonly subagent?: string;
  readonly event: string;
  readonly tool?: string;
  /** The call as JSON, shortened for display. The hash covers all of it. */
  readonly call: string;
  /** Bytes of the whole call, if `call` was shortened. */
  readonly callBytes?: number;
  /** Fields that hooks changed before the question. */
  readonly changed: readonly string[];
  readonly reasons: readonly AskReason[];
  /** Until when the agent waits. Missing: the call was refused, and the agent may try it again. */
  readonly heldUntil?: string;
  /** The process that waits. If it has ended, nobody waits. */
  readonly heldBy?: number;
  /** The process of the agent. If it has ended, the question is withdrawn. */
  readonly agentPid?: number;
  /** When the user was last notified. Missing: no notification could be sent. */
  readonly notifiedAt?: string;
  /** Notifications that failed, and why. */
  readonly failedNotices?: readonly string[];
}

export interface UserAnswer {
  readonly hash: string;
  /** Of the question, with a signature. */
  readonly nonce?: string;
  readonly kind: AnswerKind;
  /** For the model, with a refusal. */
  readonly note?: string;
  readonly answeredAt: string;
  /** Such as `terminal /dev/pts/3`, `view` or `fleet`. */
  readonly where: string;
  /** The name of the user or approver. */
  readonly who: string;
  /** The signature of an approver that the administrator named: see `signature.ts`. */
  readonly signature?: string;
}

export function callHash(call: AskedCall): string {
  const { event, payload, agent, session, project, folder, askers } = call;
  return createHash('sha256')
    .update(JSON.stringify([event, sorted(payload), agent, session, project, folder, [...askers].toSorted()]))
    .digest('hex');
}

/**
 * Whether the id of the question covers the call that it shows. An approver on another machine checks this, because a relay could
 * show another call. A call that was cut for display cannot be checked.
 */
export function showsItsCall(question: Question): boolean {
  const { event, tool, call, agent, session, project, folder, reasons, hash, callBytes } = question;
  if (callBytes !== undefined) return false;
  const shown = objectIn(call);
  if (shown === undefined) return false;
  const payload = tool === undefined ? shown : { tool, input: shown };
  const askers = reasons.map(({ by }) => by);
  return callHash({ event, payload, agent, session, project, folder, askers }) === hash;
}

/** The order of keys does not matter to any tool. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : isFields(value)
      ? Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)])
      : value;

/** Undefined if the text is not a question, for example because its writer was killed. */
export function parseQuestion(text: string): Question | undefined {
  const value = objectIn(text);
  if (value === undefined) return undefined;
  const names = [
    'hash',
    'nonce',
    'askedAt',
    'expiresAt',
    'agent',
    'project',
    'folder',
    'session',
    'event',
    'call',
  ];
  const isSound =
    names.every((name) => typeof value[name] === 'string') &&
    Array.isArray(value['changed']) &&
    Array.isArray(value['reasons']);
  return isSound ? (value as unknown as Question) : undefined; // the fields were checked above
}

export function parseAnswer(text: string): UserAnswer | undefined {
  const value = objectIn(text);
  if (value === undefined) return undefined;
  const isSound =
    ['hash', 'answeredAt', 'where', 'who'].every((name) => typeof value[name] === 'string') &&
    ANSWER_KINDS.some((kind) => kind === value['kind']) &&
    ['note', 'nonce', 'signature'].every((name) => ['string', 'undefined'].includes(typeof value[name]));
  return isSound ? (value as unknown as UserAnswer) : undefined; // the fields were checked above
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
