/**
 * The stream that carries questions to approvers and signed answers back. It keeps the last message of each subject, so neither side
 * has to be online when the other one sends.
 *
 *   anyhook.approvals.question.<machine>.<user>.<hash>   an open question, or that it was closed
 *   anyhook.approvals.answer.<machine>.<user>.<hash>     the signed answer to it
 */

import { DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { isHeld, type Question } from 'anyhook/approvals';
import * as z from 'zod';
import { type Source, tokenOf } from '../nats/subject.ts';

export const APPROVALS_STREAM = 'ANYHOOK_APPROVALS';
const ROOT = 'anyhook.approvals';
export const ALL_QUESTIONS = `${ROOT}.question.>`;
/** Longer than any question stays valid. */
const KEEP_MS = 31 * 24 * 3600_000;
const LONGEST_REASON = 2000;
const LONGEST_CUT_CALL = 4096;

const subject = (kind: 'question' | 'answer', { machine, user }: Source, hash: string): string =>
  `${ROOT}.${kind}.${tokenOf(machine)}.${tokenOf(user)}.${hash}`;
export const questionSubject = (source: Source, hash: string): string => subject('question', source, hash);
/** With `*` as the hash: the answers to all questions of this source. */
export const answerSubject = (source: Source, hash: string): string => subject('answer', source, hash);

export async function openApprovalsStream(
  connection: NatsConnection,
  { name, replicas }: { readonly name: string; readonly replicas: number },
): Promise<'made' | 'changed'> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const config = {
    name,
    subjects: [`${ROOT}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_msgs_per_subject: 1,
    max_age: nanos(KEEP_MS),
    num_replicas: replicas,
    // Lets a machine read the answers to its own questions only.
    allow_direct: true,
  };
  const isThere = await manager.streams.info(name).then(
    () => true,
    () => false,
  );
  if (isThere) await manager.streams.update(name, config);
  else await manager.streams.add(config);
  return isThere ? 'changed' : 'made';
}

/** Why an answer does not count. */
export interface Notice {
  readonly text: string;
  /** Of the answer. */
  readonly answeredAt: string;
}

/** Process ids mean nothing elsewhere, so only whether the agent waits is sent. */
export function writeOpen(question: Question, notices: readonly Notice[], mostBytes: number): string {
  const {
    heldBy: _by,
    agentPid: _pid,
    notifiedAt: _at,
    failedNotices: _failed,
    heldUntil,
    ...rest
  } = question;
  const sent = {
    ...rest,
    reasons: rest.reasons.map((reason) => ({ ...reason, text: reason.text.slice(0, LONGEST_REASON) })),
    ...(isHeld(question) && { heldUntil }),
  };
  const text = JSON.stringify({ state: 'open', question: sent, notices });
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const { call, callBytes = Buffer.byteLength(call) } = question;
  const cut = { ...sent, call: call.slice(0, LONGEST_CUT_CALL), callBytes };
  return JSON.stringify({ state: 'open', question: cut, notices });
}

export const writeClosed = (answeredBy: string | undefined): string =>
  JSON.stringify({ state: 'closed', ...(answeredBy !== undefined && { answeredBy }) });

const text = z.string();
const QUESTION = z.object({
  hash: text.regex(/^[0-9a-f]{64}$/),
  nonce: text,
  askedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  agent: text,
  project: text,
  folder: text,
  session: text,
  title: text.exactOptional(),
  subagent: text.exactOptional(),
  event: text,
  tool: text.exactOptional(),
  call: text,
  callBytes: z.number().exactOptional(),
  changed: z.array(text),
  reasons: z.array(z.object({ by: text, hook: text, text, isManaged: z.boolean() })),
  heldUntil: text.exactOptional(),
});
const MESSAGE = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('open'),
    question: QUESTION,
    notices: z.array(z.object({ text, answeredAt: text })),
  }),
  z.object({ state: z.literal('closed'), answeredBy: text.exactOptional() }),
]);

export type QuestionMessage = z.infer<typeof MESSAGE> & { readonly source: Source; readonly hash: string };

/** Takes the source from the subject, which the server checks. Undefined if the message has another form. */
export function readQuestionMessage(
  subjectOfMessage: string,
  bytes: Uint8Array,
): QuestionMessage | undefined {
  const [machine, user, hash, ...more] = subjectOfMessage.slice(`${ROOT}.question.`.length).split('.');
  if (machine === undefined || user === undefined || hash === undefined || more.length > 0) return undefined;
  try {
    const message = MESSAGE.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    if (message.state === 'open' && message.question.hash !== hash) return undefined;
    return { ...message, source: { machine, user }, hash };
  } catch {
    return undefined; // not JSON, or another form
  }
}
