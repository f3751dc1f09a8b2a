/**
 * Carries the open questions of one user of this machine to the approvers, and their signed answers back. It decides nothing: an answer
 * counts only with a signature, which is checked here and again where it is used. It can be killed at any moment.
 */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type ApprovalsOfUser,
  ApprovalStore,
  isSigned,
  parseAnswer,
  type Question,
  questionId,
  recordAnswer,
  type UserAnswer,
} from 'anyhook/approvals';
import { openConnection, type ServerOptions } from '../nats/connection.ts';
import { pauses, reasonOf } from '../nats/pauses.ts';
import type { Source } from '../nats/subject.ts';
import { answerSubject, type Notice, questionSubject, writeClosed, writeOpen } from './channel.ts';

export interface RelayOptions extends ServerOptions {
  readonly source: Source;
  readonly approvals: ApprovalsOfUser;
  /** Also questions that only the user’s own hooks ask. */
  readonly isForAll?: boolean;
  readonly signal: AbortSignal;
  readonly say: (message: string) => void;
}

const LOOK_MS = 250;
/** Answers arrive by subscription. Asking for them again covers what was lost on the way. */
const FETCH_AGAIN_MS = 30_000;
const SERVER_MS = 5000;
const MOST_ANSWER_BYTES = 64 * 1024;
/** For the headers of a message. */
const RESERVED_BYTES = 4096;
const USUAL_PAYLOAD = 1024 * 1024;
const CLOCK_SLACK_MS = 60_000;

/** Resolves when the signal aborts. */
export async function relayQuestions(options: RelayOptions): Promise<void> {
  if (Object.keys(options.approvals.signers()).length === 0)
    throw new Error(
      'no approvers are named: "approvals": { "signers": { "<name>": "<public key>" } } in hooks.json of the policy',
    );
  const connection = await openConnection(
    options,
    `anyhook-fleet approvals ${options.source.machine}`,
    'endless',
  );
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: SERVER_MS });
  try {
    await new Relay(connection, manager, options).run();
  } finally {
    await connection.close();
  }
}

class Relay {
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #options: RelayOptions;
  readonly #store: ApprovalStore;
  /** Contains an empty file per question that the server may have as open, so that the next run can close it. */
  readonly #sentFolder: string;
  /** What the server has, by hash. */
  readonly #sentTexts = new Map<string, string>();
  /** The last answer that did not count, by hash. */
  readonly #notices = new Map<string, Notice>();
  /** Who answered, until the question is closed. */
  readonly #answeredBy = new Map<string, string>();
  readonly #fetchedMs = new Map<string, number>();
  #stopWatching: (() => void) | undefined;

  constructor(connection: NatsConnection, manager: JetStreamManager, options: RelayOptions) {
    this.#connection = connection;
    this.#client = jetstream(connection, { timeout: SERVER_MS });
    this.#manager = manager;
    this.#options = options;
    this.#store = new ApprovalStore(options.approvals.folder);
    const { machine, user } = options.source;
    this.#sentFolder = join(
      options.approvals.folder,
      'sent',
      encodeURIComponent(`${options.stream} ${machine} ${user}`),
    );
    mkdirSync(this.#sentFolder, { recursive: true, mode: 0o700 });
  }

  async run(): Promise<void> {
    const { signal, say, source } = this.#options;
    this.#connection.subscribe(answerSubject(source, '*'), {
      callback: (error, message) => {
        if (error === null) this.#take(message.data);
        else say(`answers do not arrive: ${error.message}`);
      },
    });
    void this.#followConnection();
    this.#watch();
    const pause = pauses(signal, (why) => say(`${why}. Questions stay open until the server is back.`));
    try {
      while (!signal.aborted) {
        try {
          await this.#sendChanges();
          pause.over(() => say('questions are sent again.'));
          await sleep(LOOK_MS, undefined, { signal });
        } catch (error) {
          if (signal.aborted) break;
          await pause.after(error);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#stopWatching?.();
    }
  }

  /** Without a connection, an agent must not wait for an approver. Asks for missed answers after it. */
  async #followConnection(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') {
        this.#stopWatching?.();
        this.#stopWatching = undefined;
      }
      if (type === 'reconnect') {
        this.#fetchedMs.clear();
        this.#watch();
      }
    }
  }
  #watch(): void {
    if (!this.#options.signal.aborted) this.#stopWatching ??= this.#store.watch();
  }

  async #sendChanges(): Promise<void> {
    const open = this.#store.list().filter((question) => this.#isRelayed(question));
    for (const question of open) await this.#sendOpen(question);
    const hashes = new Set(open.map(({ hash }) => hash));
    for (const hash of readdirSync(this.#sentFolder)) if (!hashes.has(hash)) await this.#sendClosed(hash);
  }
  async #sendOpen(question: Question): Promise<void> {
    const { hash } = question;
    const mostBytes = (this.#connection.info?.max_payload ?? USUAL_PAYLOAD) - RESERVED_BYTES;
    const notice = this.#notices.get(noticeKey(question));
    const text = writeOpen(question, notice === undefined ? [] : [notice], mostBytes);
    if (this.#sentTexts.get(hash) !== text) {
      writeFileSync(join(this.#sentFolder, hash), '', { mode: 0o600 });
      await this.#publish(hash, text);
      this.#sentTexts.set(hash, text);
    }
    if (performance.now() - (this.#fetchedMs.get(hash) ?? -Infinity) > FETCH_AGAIN_MS)
      await this.#fetch(hash);
  }
  async #sendClosed(hash: string): Promise<void> {
    await this.#publish(hash, writeClosed(this.#answeredBy.get(hash)));
    rmSync(join(this.#sentFolder, hash), { force: true });
    for (const known of [this.#sentTexts, this.#answeredBy, this.#fetchedMs]) known.delete(hash);
    for (const key of this.#notices.keys()) if (key.startsWith(hash)) this.#notices.delete(key);
  }
  async #publish(hash: string, text: string): Promise<void> {
    const { source, stream } = this.#options;
    await this.#client.publish(questionSubject(source, hash), text, {
      timeout: SERVER_MS,
      expect: { streamName: stream },
    });
  }
  async #fetch(hash: string): Promise<void> {
    const { source, stream } = this.#options;
    const found = await this.#manager.direct.getMessage(stream, {
      last_by_subj: answerSubject(source, hash),
    });
    this.#fetchedMs.set(hash, performance.now());
    if (found !== null) this.#take(found.data);
  }

  #isRelayed({ reasons }: Question): boolean {
    return this.#options.isForAll === true || reasons.some(({ isManaged }) => isManaged);
  }

  /** Untrusted input: every account that may publish answers can send these bytes. */
  #take(bytes: Uint8Array): void {
    const { say } = this.#options;
    try {
      const answer =
        bytes.length > MOST_ANSWER_BYTES ? undefined : parseAnswer(Buffer.from(bytes).toString('utf8'));
      if (answer === undefined || !/^[0-9a-f]{64}$/.test(answer.hash)) return say('ignored: not an answer');
      const question = this.#store.question(answer.hash);
      // An answer to an earlier question about an equal call is left over, or replayed.
      if (question === undefined || answer.nonce !== question.nonce || !this.#isRelayed(question)) return;
      const why = this.#whyRefused(answer, question);
      if (why === undefined) this.#give(answer, question);
      else this.#refuse(answer, question, why);
    } catch (error) {
      say(`an answer could not be stored, and is fetched again: ${reasonOf(error)}`);
    }
  }
  #whyRefused(answer: UserAnswer, question: Question): string | undefined {
    if (!isSigned(answer, question, this.#options.approvals.signers()))
      return 'it is not signed by an approver whom the policy of this machine names';
    if (!(Date.parse(answer.answeredAt) <= Date.now() + CLOCK_SLACK_MS))
      return 'the clock of the approver is more than a minute ahead';
    return undefined;
  }
  #give(answer: UserAnswer, question: Question): void {
    const { say, approvals } = this.#options;
    if (this.#store.give(answer) !== 'answered') return;
    this.#answeredBy.set(question.hash, answer.who);
    say(`${questionId(question)}: ${answer.kind === 'refuse' ? 'refused' : 'approved'} by ${answer.who}`);
    try {
      recordAnswer(question, answer, approvals.locations);
    } catch (error) {
      say(`${questionId(question)}: the answer counts, and could not be recorded: ${reasonOf(error)}`);
    }
  }
  #refuse(answer: UserAnswer, question: Question, why: string): void {
    const text = `an answer of ${answer.who.slice(0, 60)} does not count: ${why}`;
    const answeredAt = answer.answeredAt.slice(0, 40);
    if (this.#notices.get(noticeKey(question))?.answeredAt === answeredAt) return; // fetched again
    this.#notices.set(noticeKey(question), { text, answeredAt });
    this.#options.say(`${questionId(question)}: ${text}`);
  }
}

const noticeKey = ({ hash, nonce }: Question): string => `${hash} ${nonce}`;
