/** The open questions of all machines, as an approver sees them, and the answers that the approver signs. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DeliverPolicy, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type AnswerKind,
  type Question,
  type QuestionSource,
  showsItsCall,
  signAnswer,
} from 'anyhook/approvals';
import type { Source } from '../nats/subject.ts';
import { ALL_QUESTIONS, answerSubject, type QuestionMessage, readQuestionMessage } from './channel.ts';

export interface RemoteQuestion extends Question {
  readonly source: Source;
  readonly from: string;
}

export interface Signer {
  readonly who: string;
  readonly privateKeyPem: string;
}

export interface AnswerToSend {
  readonly kind: AnswerKind;
  readonly note?: string;
}

/** What became of an answer. `unknown`: the machine has not taken it yet. */
export type SentAnswerState =
  | { readonly kind: 'taken'; readonly by: string | undefined }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown' };

const LOOK_MS = 50;
/** An answered question is hidden for so long. Then it is shown again, unless its machine closed it. */
const HIDDEN_MS = 15_000;
const SERVER_MS = 5000;
const UNCHECKED = 'the call is not shown in the form that its id covers, so it cannot be approved here';

export class RemoteQuestions implements QuestionSource<RemoteQuestion> {
  readonly #connection: NatsConnection;
  readonly #stream: string;
  readonly #messages = new Map<string, QuestionMessage>();
  /** When an answer was sent, by subject, until another message of that question arrives. */
  readonly #sentMs = new Map<string, number>();

  private constructor(connection: NatsConnection, stream: string) {
    this.#connection = connection;
    this.#stream = stream;
  }

  /** Resolves when all questions have arrived that were open. Then it follows, until the connection is closed. */
  static async open(connection: NatsConnection, stream: string): Promise<RemoteQuestions> {
    const questions = new RemoteQuestions(connection, stream);
    const consumer = await jetstream(connection).consumers.get(stream, {
      filter_subjects: ALL_QUESTIONS,
      deliver_policy: DeliverPolicy.LastPerSubject,
    });
    const { num_pending: waiting } = await consumer.info();
    const messages = await consumer.consume({ max_messages: 256 });
    await new Promise<void>((resolve, reject) => {
      if (waiting === 0) resolve();
      const follow = async (): Promise<void> => {
        for await (const { subject, data, info } of messages) {
          questions.#add(subject, data);
          if (info.pending === 0) resolve();
        }
      };
      follow().then(resolve, reject);
    });
    return questions;
  }

  list(): readonly RemoteQuestion[] {
    return [...this.#messages]
      .flatMap(([subject, message]) => this.#shown(subject, message) ?? [])
      .toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
  }
  /** Does nothing: the relay on the other machine announces a viewer. */
  watch(): () => void {
    return () => {};
  }

  /** Resolves when the server has stored the answer, with its time, which names it. */
  async answer(
    question: RemoteQuestion,
    { kind, note }: AnswerToSend,
    { who, privateKeyPem }: Signer,
  ): Promise<string> {
    if (kind !== 'refuse' && !showsItsCall(question)) throw new Error(UNCHECKED);
    const { hash, nonce, source } = question;
    const answeredAt = new Date().toISOString();
    const answer = signAnswer(
      {
        hash,
        nonce,
        kind,
        ...(note !== undefined && note !== '' && { note }),
        answeredAt,
        where: 'fleet',
        who,
      },
      privateKeyPem,
    );
    await jetstream(this.#connection, { timeout: SERVER_MS }).publish(
      answerSubject(source, hash),
      JSON.stringify(answer),
      { expect: { streamName: this.#stream } },
    );
    this.#sentMs.set(keyOf(question), performance.now());
    return answeredAt;
  }

  /** Waits until the machine reacts to an answer. */
  async outcome(question: RemoteQuestion, answeredAt: string, withinMs: number): Promise<SentAnswerState> {
    const untilMs = performance.now() + withinMs;
    do {
      const message = this.#messages.get(keyOf(question));
      if (message?.state === 'closed') return { kind: 'taken', by: message.answeredBy };
      if (message !== undefined && message.question.nonce !== question.nonce)
        return { kind: 'taken', by: undefined }; // and an equal call is asked about
      const notice = message?.notices.find((one) => one.answeredAt === answeredAt);
      if (notice !== undefined) return { kind: 'refused', why: notice.text };
      await sleep(LOOK_MS);
    } while (performance.now() < untilMs);
    return { kind: 'unknown' };
  }

  #add(subject: string, bytes: Uint8Array): void {
    const message = readQuestionMessage(subject, bytes);
    if (message === undefined) return;
    const key = keyOf(message);
    this.#messages.set(key, message);
    this.#sentMs.delete(key);
  }
  #shown(key: string, message: QuestionMessage): RemoteQuestion | undefined {
    if (message.state === 'closed' || !(Date.now() < Date.parse(message.question.expiresAt)))
      return undefined;
    const sentMs = this.#sentMs.get(key);
    if (sentMs !== undefined && performance.now() - sentMs < HIDDEN_MS) return undefined;
    const { question, notices, source } = message;
    const shown: RemoteQuestion = { ...question, source, from: `${source.user} at ${source.machine}` };
    const failedNotices = [
      ...notices.map((notice) => notice.text),
      ...(sentMs === undefined ? [] : ['your answer was sent, and the machine has not taken it yet']),
      ...(showsItsCall(shown) ? [] : [UNCHECKED]),
    ];
    return failedNotices.length === 0 ? shown : { ...shown, failedNotices };
  }
}

const keyOf = ({ source, hash }: { readonly source: Source; readonly hash: string }): string =>
  `${source.machine} ${source.user} ${hash}`;
