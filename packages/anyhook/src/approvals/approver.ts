/**
 * Turns `ask` into an answer: opens a question, waits for it as long as the agent allows, and applies the answer. A call whose time is
 * over is refused with a sentence for the model; the question stays open, and an approval given later lets exactly that call pass.
 * Any failure here is a refusal.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApprovalSettings } from '../events/approval-settings.ts';
import { cutText } from '../events/cut.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';
import type { SessionStore } from '../sessions/store.ts';
import { BY_USER } from './answer-kind.ts';
import type { Notify } from './notify.ts';
import { type AskReason, callHash, type Question, type UserAnswer } from './question.ts';
import { isSigned } from './signature.ts';
import { type ApprovalStore, isRunning } from './store.ts';

const POLL_MS = 100;
/** Time reserved from the agent's limit to refuse and to write the answer: a tenth, but not more than this. */
const MOST_MARGIN_MS = 1000;
const NOTIFY_AGAIN_MS = 60_000;
const MOST_SHOWN_BYTES = 64 * 1024;
const DEFAULT_WAIT_MS = 10 * 60_000;
/** Hooks that veto an approval may raise another question, but not without end. */
const MOST_ROUNDS = 4;

export interface ApprovalParts {
  readonly store: ApprovalStore;
  readonly settings: ApprovalSettings;
  readonly agent: string;
  readonly project: string;
  readonly notify: Notify;
  /** Whether the host lets an approval skip its own question. */
  readonly canAllow: (name: EventName) => boolean;
  readonly isAsked: (ruling: Ruling, event: Event) => boolean;
  readonly describe: (reason: Ruling['reasons'][number]) => AskReason;
  /** Nothing is approved for a session that cannot be told from others. */
  readonly sessions: SessionStore;
}

export interface HoldLimits {
  /** By `performance.now()`. */
  readonly untilMs: number;
  readonly signal: AbortSignal | undefined;
  /** The process that waits for the outcome. If it ends, nobody does. */
  readonly waitingPid: number | undefined;
  readonly agentPid: number | undefined;
}

export type Veto = (approved: Ruling) => Promise<Ruling>;

type Settled = UserAnswer | { readonly kind: 'waiting'; readonly why: string };

export class Approver {
  readonly #parts: ApprovalParts;

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  /** `veto` runs the hooks that may refuse an approval. Never rejects: a question that cannot be asked is a refusal. */
  async settle(ruling: Ruling, event: Event, limits: HoldLimits, veto: Veto): Promise<Ruling> {
    let now = ruling;
    try {
      for (let round = 0; round < MOST_ROUNDS && this.#parts.isAsked(now, event); round++) {
        const answered = await this.#ask(now, event, limits);
        if (answered.verdict === 'deny') return answered;
        now = await veto(answered);
      }
      return now;
    } catch (error) {
      const why = `this call needs the user's approval, and the user cannot be asked: ${(error as Error).message}`;
      return refused(now, event, why);
    }
  }

  async #ask(ruling: Ruling, event: Event, limits: HoldLimits): Promise<Ruling> {
    const startedMs = performance.now();
    const question = this.#questionOf(ruling, event, limits);
    const answer = await this.#wait(question, event, limits);
    const approval = {
      hash: question.hash,
      kind: answer.kind,
      ...(answer.kind !== 'waiting' && { who: answer.who, where: answer.where }),
      waitedMs: Math.round(performance.now() - startedMs),
    };
    if (answer.kind === 'waiting') return { ...refused(ruling, event, answer.why), approval };
    if (answer.kind === 'refuse') return { ...refused(ruling, event, refusalText(answer)), approval };
    return { ...this.#approved(ruling, event, answer), approval };
  }

  #approved(ruling: Ruling, { name }: Event, { who, where }: UserAnswer): Ruling {
    // Where the host cannot skip its own question, it asks as usual.
    if (!this.#parts.canAllow(name)) return { ...ruling, verdict: 'none', reasons: [] };
    return { ...ruling, verdict: 'allow', reasons: [{ by: BY_USER, text: `approved by ${who} (${where})` }] };
  }

  async #wait(question: Question, event: Event, limits: HoldLimits): Promise<Settled> {
    const { hash } = question;
    const known = this.#answered(question, event);
    if (known !== undefined) return known;
    const notified = this.#open(question);
    let untilMs = this.#waitUntil({ isSeen: true }, limits);
    // Answers count while the notification is still on its way.
    void notified.then((isSeen) => (untilMs = Math.min(untilMs, this.#waitUntil({ isSeen }, limits))));
    while (performance.now() < untilMs && isWaitedFor(limits)) {
      const answer = this.#answered(question, event);
      if (answer !== undefined) return answer;
      if (this.#parts.store.question(hash) === undefined) void this.#open(question); // its approval was used by an equal call
      await delay(POLL_MS, undefined, { ref: true });
    }
    // An approval is not spent on a call that nobody makes any more.
    const last = isWaitedFor(limits) ? this.#answered(question, event) : undefined;
    if (last !== undefined) return last;
    this.#release(question);
    return { kind: 'waiting', why: waitingText(question, await notified) };
  }

  /** The answer that counts for this call now. An approval for one call is consumed. */
  #answered(question: Question, event: Event): UserAnswer | undefined {
    const { store, sessions } = this.#parts;
    const { hash } = question;
    const open = store.question(hash);
    if (open === undefined) return undefined;
    const seen = store.answer(hash);
    if (seen === undefined) return undefined;
    if (!this.#mayAnswer(open, question, seen)) {
      store.consume(hash);
      return undefined;
    }
    if (seen.kind === 'refuse' || (seen.kind === 'session' && sessions.tracks(event.ids.session)))
      return seen;
    const taken = store.consume(hash);
    return taken !== undefined && this.#mayAnswer(open, question, taken) ? taken : undefined;
  }
  /** The reasons are those of this call, because the file of the open question could have been changed. */
  #mayAnswer(open: Question, { reasons }: Question, answer: UserAnswer): boolean {
    const { signers } = this.#parts.settings;
    if (Object.keys(signers).length === 0 || !reasons.some(({ isManaged }) => isManaged)) return true;
    return isSigned(answer, open, signers);
  }

  /** Throws if the question cannot be stored. The returned promise tells whether somebody was notified, and never rejects. */
  #open(question: Question): Promise<boolean> {
    const { store } = this.#parts;
    const before = store.question(question.hash);
    if (before === undefined) store.withdraw(question.hash); // an expired one must not leave its answer
    const isNews = before === undefined || isLongAgo(before.notifiedAt);
    const opened: Question = {
      ...question,
      askedAt: before?.askedAt ?? question.askedAt,
      nonce: before?.nonce ?? question.nonce,
      ...(before?.notifiedAt !== undefined && { notifiedAt: before.notifiedAt }),
    };
    const fault = store.ask(opened);
    if (fault !== undefined) throw new Error(fault);
    return isNews ? this.#notify(opened) : Promise.resolve(true);
  }
  async #notify(opened: Question): Promise<boolean> {
    const { store, notify } = this.#parts;
    const { sent, failed } = await notify(opened);
    // It may have been answered and closed in the meantime.
    const open = store.question(opened.hash);
    if (open !== undefined)
      store.ask({
        ...open,
        ...(sent > 0 && { notifiedAt: new Date().toISOString() }),
        ...(failed.length > 0 && { failedNotices: failed }),
      });
    return sent > 0;
  }
  #waitUntil({ isSeen }: { readonly isSeen: boolean }, { untilMs }: HoldLimits): number {
    const { settings, store } = this.#parts;
    if (!isSeen && !settings.waitUnseen && !store.isWatched) return 0;
    const mostMs = settings.waitSeconds === undefined ? DEFAULT_WAIT_MS : settings.waitSeconds * 1000;
    const leftMs = untilMs - performance.now();
    return performance.now() + Math.min(lessMargin(leftMs), mostMs);
  }
  #release(question: Question): void {
    const { store } = this.#parts;
    const open = store.question(question.hash);
    if (open === undefined) return;
    const { heldUntil: _until, heldBy: _by, ...rest } = open;
    store.ask(rest);
  }

  #questionOf(ruling: Ruling, event: Event, { untilMs, agentPid }: HoldLimits): Question {
    const { agent, project, settings, describe, sessions } = this.#parts;
    const payload = ruling.payload;
    const { session, agent: subagent } = event.ids;
    const folder = event.scene.cwd;
    const askers = ruling.reasons.map(({ by }) => by);
    const { tool, input } = payload as { tool?: unknown; input?: unknown };
    const shown = JSON.stringify(tool === undefined ? payload : (input ?? {}));
    const bytes = Buffer.byteLength(shown);
    const now = Date.now();
    const { title } = sessions.read(session);
    const heldMs = Math.min(lessMargin(untilMs - performance.now()), DEFAULT_WAIT_MS);
    return {
      hash: callHash({
        event: event.name,
        payload: callOf(payload),
        agent,
        session,
        project,
        folder,
        askers,
      }),
      nonce: randomBytes(16).toString('hex'),
      askedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + settings.keepMinutes * 60_000).toISOString(),
      agent,
      project,
      folder,
      session,
      ...(title !== undefined && { title }),
      ...(subagent !== undefined && { subagent }),
      event: event.name,
      ...(typeof tool === 'string' && { tool }),
      call: bytes > MOST_SHOWN_BYTES ? cutText(shown, MOST_SHOWN_BYTES) : shown,
      ...(bytes > MOST_SHOWN_BYTES && { callBytes: bytes }),
      changed: [...new Set(ruling.changed.map(({ at }) => at))],
      reasons: ruling.reasons.map(describe),
      heldUntil: new Date(now + heldMs).toISOString(),
      heldBy: process.pid,
      ...(agentPid !== undefined && { agentPid }),
    };
  }
}

const lessMargin = (leftMs: number): number => Math.max(0, leftMs - Math.min(leftMs / 10, MOST_MARGIN_MS));

/** Ids of single calls differ between two tries of the same call. */
const callOf = (payload: Ruling['payload']): Ruling['payload'] =>
  'tool' in payload ? { tool: payload['tool'], input: payload['input'] } : payload;

function isWaitedFor({ signal, waitingPid }: HoldLimits): boolean {
  if (signal?.aborted === true) return false;
  return waitingPid === undefined || isRunning(waitingPid);
}

const isLongAgo = (at: string | undefined): boolean =>
  at === undefined || Math.abs(Date.now() - Date.parse(at)) > NOTIFY_AGAIN_MS;

/** Nothing of the ruling that the model could take for consent. */
const refused = (ruling: Ruling, event: Event, text: string): Ruling => ({
  ...ruling,
  verdict: 'deny',
  payload: event.payload as Ruling['payload'],
  changed: [],
  reasons: [{ by: BY_USER, text }, ...ruling.reasons],
  said: ruling.said.filter(({ to }) => to === 'person'),
});

const refusalText = ({ note, who }: UserAnswer): string =>
  note === undefined || note === ''
    ? `${who} refused this call. Do not try it again.`
    : `${who} refused this call: ${note}`;

const waitingText = ({ hash, tool }: Question, isSeen: boolean): string =>
  `this ${tool === undefined ? 'event' : `${tool} call`} needs the user's approval (${hash.slice(0, 8)}), and ${
    isSeen ? 'the user has not answered yet' : 'nobody could be notified'
  }. The user answers with: anyhook approvals. Once approved, exactly the same call passes, so you may try it again later.`;
