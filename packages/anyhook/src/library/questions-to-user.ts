/**
 * Connects the approvals of one program with its hooks, its agent and the memory of its sessions. Most events ask nothing, so what
 * only questions need is loaded with the first one.
 */

import { existsSync } from 'node:fs';
import { BY_USER } from '../approvals/answer-kind.ts';
import type { Approver, HoldLimits, Veto } from '../approvals/approver.ts';
import type { AskReason } from '../approvals/question.ts';
import { lower } from '../engine/lower.ts';
import { type Grades } from '../events/capabilities.ts';
import type { Event, EventInput } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import { isOrganisations, label } from '../events/hook.ts';
import type { Ruling } from '../events/outcome.ts';
import { decides } from '../events/roles.ts';
import type { Means } from './means.ts';
import type { Opening } from './opening.ts';

const MOST_TITLE = 200;

export class QuestionsToUser {
  readonly #means: Means;
  readonly #opening: Opening;
  #approvals: Promise<Approver> | undefined;

  constructor(means: Means, opening: Opening) {
    this.#means = means;
    this.#opening = opening;
  }

  /** The program wants its questions answered from anywhere. */
  get isOn(): boolean {
    const { approvals = false } = this.#means.options;
    return approvals !== false;
  }
  /** The settings were read again. */
  reset(): void {
    this.#approvals = undefined;
  }

  /** Whether an event is worth firing although no hook listens: the agent itself asks its user. */
  wants(name: EventName): boolean {
    return this.#mode === 'always' && name === 'tool.permission' && this.#gradesAt(name).allow === 'full';
  }

  /** Whether a question about this event can reach the user. */
  canAsk(name: EventName): boolean {
    return this.#mode !== 'off' || this.#gradesAt(name).ask === 'full';
  }

  /** Turns the question of a hook into the answer of the user. `veto` runs the hooks that may refuse an approval. */
  async settle(ruling: Ruling, event: Event, limits: HoldLimits, veto: Veto): Promise<Ruling> {
    const allowed = await this.#allowed(ruling, event);
    if (allowed !== undefined) return this.#settleOpen(await veto(allowed), event, limits, veto);
    return this.#settleOpen(ruling, event, limits, veto);
  }
  async #settleOpen(ruling: Ruling, event: Event, limits: HoldLimits, veto: Veto): Promise<Ruling> {
    if (this.#mode === 'off' && !this.#needsSigner(ruling)) return ruling;
    this.note(event);
    if (!this.#isAsked(ruling, event)) return ruling;
    const approvals = await (this.#approvals ??= this.#open());
    const { approvals: wanted } = this.#means.options;
    const mostMs = typeof wanted === 'object' ? wanted.mostMs : Infinity;
    const untilMs = Math.min(limits.untilMs, performance.now() + mostMs);
    return approvals.settle(ruling, event, { ...limits, untilMs }, veto);
  }

  /** The user has approved this command for good in their settings. Hooks of the administrator still ask. */
  async #allowed(ruling: Ruling, event: Event): Promise<Ruling | undefined> {
    const { allow } = this.#opening.reading.approvals;
    if (allow.length === 0 || ruling.verdict !== 'ask' || event.name !== 'tool.before') return undefined;
    if (ruling.paused === true || ruling.aborted) return undefined;
    if (ruling.reasons.some((reason) => this.#describe(reason).isManaged)) return undefined;
    const { isAllowed } = await import('../approvals/allowed.ts');
    if (!isAllowed(allow, ruling.payload, event.scene.cwd)) return undefined;
    if (this.#gradesAt(event.name).allow !== 'full') return { ...ruling, verdict: 'none', reasons: [] };
    return { ...ruling, verdict: 'allow', reasons: [{ by: BY_USER, text: 'allowed by your settings' }] };
  }

  get #mode() {
    return this.isOn ? this.#opening.reading.approvals.mode : 'off';
  }
  #gradesAt(name: EventName): Grades {
    return this.#means.options.host.can[name] ?? {};
  }
  #isAsked({ verdict, paused, aborted, ...rest }: Ruling, event: Event): boolean {
    const { name } = event;
    if (paused === true || aborted || !decides(name)) return false;
    if (verdict !== 'ask' && !(verdict === 'none' && this.wants(name))) return false;
    if (
      this.#mode === 'fallback' &&
      this.#gradesAt(name).ask === 'full' &&
      !this.#needsSigner({ verdict, ...rest })
    )
      return false;
    // A call that the host would refuse after an approval is not worth a question.
    const approved = { ...rest, aborted, verdict: 'none' as const, reasons: [] };
    return lower(approved, event, this.#means.options.host.can).verdict !== 'deny';
  }

  /** The user at the agent must not answer in place of an approver whom the administrator named. */
  #needsSigner({ verdict, reasons }: Pick<Ruling, 'verdict' | 'reasons'>): boolean {
    if (verdict !== 'ask' || this.#means.options.approvals !== true) return false;
    const { signers } = this.#opening.reading.approvals;
    return Object.keys(signers).length > 0 && reasons.some((reason) => this.#describe(reason).isManaged);
  }

  /** Keeps the first prompt as the title of its session, and withdraws the questions of a session that ends. */
  note({ name, payload, ids: { session = '' } = {} }: Pick<EventInput, 'name' | 'payload' | 'ids'>): void {
    if (!this.isOn) return;
    const { store, folders } = this.#means;
    if (name === 'session.end' && existsSync(folders.approvals)) void this.#withdraw(session);
    const { prompt } = payload as { prompt?: unknown };
    if (name !== 'prompt.submit' || typeof prompt !== 'string' || !store.tracks(session)) return;
    if (!this.#opening.state.engine.wants('tool.before')) return; // nothing will be asked
    store.update(session, (record) =>
      record.title === undefined ? { ...record, title: prompt.slice(0, MOST_TITLE) } : record,
    );
  }
  async #withdraw(session: string): Promise<void> {
    const { ApprovalStore } = await import('../approvals/store.ts');
    new ApprovalStore(this.#means.folders.approvals).withdrawSession(this.#means.options.host.name, session);
  }

  async #open(): Promise<Approver> {
    const [{ Approver }, { ApprovalStore }, { makeNotify }] = await Promise.all([
      import('../approvals/approver.ts'),
      import('../approvals/store.ts'),
      import('../approvals/notify.ts'),
    ]);
    const { options, folders, locations, store } = this.#means;
    const { approvals: settings } = this.#opening.reading;
    return new Approver({
      store: new ApprovalStore(folders.approvals),
      settings,
      agent: options.host.name,
      project: locations.cwd,
      sessions: store,
      notify: makeNotify(settings.notify, locations.env),
      canAllow: (name) => this.#gradesAt(name).allow === 'full',
      isAsked: (ruling, event) => this.#isAsked(ruling, event),
      describe: (reason) => this.#describe(reason),
    });
  }
  #describe({ by, text }: Ruling['reasons'][number]): AskReason {
    const hook = this.#opening.state.hooks.find(({ id }) => id === by);
    if (hook === undefined) return { by, hook: by, text, isManaged: false };
    const { file, line } = hook.origin;
    const place = file.startsWith('(') ? 'anyhook' : `${file}:${line}`;
    const name = label(hook).split('\n')[0]!.slice(0, 60);
    return { by, hook: `${name}, ${place}`, text, isManaged: isOrganisations(hook) };
  }
}
