/**
 * Refusals that stay: a call that does what was refused in the session is refused again, whatever its tool or spelling. Most
 * sessions have no refused call, so what only they need is loaded with the first one.
 */

import { BY_USER } from '../approvals/answer-kind.ts';
import type { Event } from '../events/event.ts';
import { type Hook, isBuiltIn, isOrganisations, label } from '../events/hook.ts';
import { type Ruling, silentOutcome, type Sticky } from '../events/outcome.ts';
import type { JournalFolders, LogFollower } from '../history/log-follower.ts';
import type { RefusalLog } from '../history/refusal-log.ts';
import type { SessionStore } from '../sessions/store.ts';
import type * as Code from './refusal-code.ts';

/** From the next attempt on, the user is asked or the turn is halted. */
const MOST_ATTEMPTS = 3;
const MOST_SESSIONS = 1000;

/** How the calls of one program are judged. */
export interface RefusalScene {
  readonly hooks: readonly Hook[];
  /** The setting `sticky`. */
  readonly isOn: boolean;
  /** Whether a question can reach the user, and whether the agent can end the turn. */
  readonly can: { readonly ask: boolean; readonly halt: boolean };
  /** Runs all hooks, or all but one, and lets the user answer their questions. */
  readonly judge: (without?: string) => Promise<Ruling>;
  /** Lets the user answer a question. */
  readonly settle: (question: Ruling) => Promise<Ruling>;
  /** Runs one hook on another call. */
  readonly askOne: (hook: Hook, event: Event) => Promise<Ruling | undefined>;
}

export interface RefusalMemoryParts {
  readonly store: SessionStore;
  readonly home: string;
  /** Several processes serve a session, and all see its record in the store. */
  readonly isShared: boolean;
}

export class Refusals {
  readonly #parts: RefusalMemoryParts;
  #code: typeof Code | undefined;
  #folders: JournalFolders | undefined;
  #journal: { readonly follower: LogFollower<RefusalLog>; readonly key: string } | undefined;
  /** Without a journal. */
  readonly #memory = new Map<string, RefusalLog>();
  /** Sessions whose journal was looked at in this process. */
  readonly #seen = new Set<string>();

  constructor(parts: RefusalMemoryParts) {
    this.#parts = parts;
  }

  /** `journal` is undefined if none is written. */
  load(journal: JournalFolders | undefined): void {
    this.#folders = journal;
  }
  /** Called after each attempt to write a record. */
  written(session: string, isInFile: boolean): void {
    this.#journal?.follower.written(session, isInFile);
  }
  /** Called with each answered event. */
  note(event: Event, ruling: Ruling): void {
    const { session } = event.ids;
    if (this.#folders !== undefined || this.#code === undefined || !this.#hasRefusals(session)) return;
    const log = this.#memory.get(session) ?? new this.#code.RefusalLog();
    this.#memory.delete(session); // keeps the map in order of use
    this.#memory.set(session, log);
    const { verdict, sticky, reasons } = ruling;
    const reason = this.#code.reasonOf(reasons, sticky);
    log.add({
      event,
      ruling: { verdict, ...(sticky && { sticky }) },
      reason,
      atMs: Date.now(),
      isPartial: false,
    });
    const [oldest] = this.#memory.keys();
    if (this.#memory.size > MOST_SESSIONS && oldest !== undefined) this.#memory.delete(oldest);
  }

  /** Judges a call before it runs. */
  async judge(event: Event, scene: RefusalScene): Promise<Ruling> {
    const repeat = this.#mayHaveRefusals(event.ids.session) ? await this.#repeated(event, scene) : {};
    const ruling = repeat.ruling ?? (await scene.judge());
    const noted: Ruling = {
      ...ruling,
      ...(repeat.sticky !== undefined && ruling.sticky === undefined && { sticky: repeat.sticky }),
      ...(repeat.lost !== undefined && { lost: [...ruling.lost, repeat.lost] }),
    };
    if (ruling.verdict === 'deny' && ruling.sticky === undefined) return this.#remember(noted, event, scene);
    return repeat.sticky === undefined && repeat.lost === undefined ? ruling : noted;
  }

  async #remember(ruling: Ruling, event: Event, scene: RefusalScene): Promise<Ruling> {
    const { store, home } = this.#parts;
    const { session } = event.ids;
    const hook = refuserIn(ruling, scene);
    if (hook === undefined || ruling.aborted || !store.tracks(session)) return ruling;
    const { remembered } = (this.#code ??= await import('./refusal-code.ts'));
    const sticky = remembered(ruling, event, hook, home);
    if (sticky === undefined) return ruling;
    store.update(session, (record) => (record.hasRefusals ? record : { ...record, hasRefusals: true }));
    return { ...ruling, sticky };
  }

  async #repeated(event: Event, scene: RefusalScene): Promise<Repeat> {
    const code = (this.#code ??= await import('./refusal-code.ts'));
    const { session } = event.ids;
    let log: RefusalLog;
    try {
      log = this.#logOf(session, code);
    } catch (error) {
      if (!(error instanceof code.HistoryFault)) throw error;
      return { lost: `the refusals of this session are not known, so hooks judge again: ${error.message}` };
    }
    if (log.isEmpty) return {};
    if (!this.#hasRefusals(session))
      this.#parts.store.update(session, (record) => ({ ...record, hasRefusals: true }));
    const call = code.exactCall(event);
    let newer: Sticky | undefined;
    for (const refusal of log.repeatedBy(code.actsIn(event, this.#parts.home), call)) {
      const times = refusal.times + 1;
      const sticky: Sticky = { kind: 'repeated', by: refusal.by, atMs: refusal.atMs, times };
      const standing = await this.#stands(refusal, event, scene);
      if (standing === 'gone') continue;
      if (standing === 'newer answer') newer = sticky;
      else return { ruling: await refuse(refusal, event, sticky, scene) };
    }
    const same = log.of(call);
    if (newer === undefined && same !== undefined)
      newer = { kind: 'repeated', by: same.by, atMs: same.atMs, times: same.times };
    return newer === undefined ? {} : { sticky: newer };
  }

  /** A program may answer differently by now, so it is asked about the refused call again. A failure is no newer answer. */
  async #stands(
    { by, isFinal, event: refused }: Code.Refusal,
    { ids }: Event,
    scene: RefusalScene,
  ): Promise<'stands' | 'gone' | 'newer answer'> {
    if (by === BY_USER) return scene.isOn ? 'stands' : 'gone';
    const hook = scene.hooks.find(({ id }) => id === by);
    if (hook === undefined || hook.shadow || !remembers(hook, scene)) return 'gone';
    if (isFinal || refused === undefined) return 'stands';
    const ruling = await scene.askOne(hook, { ...refused, ids });
    if (ruling === undefined) return 'newer answer'; // its settings changed, and it does not judge such calls any more
    return ruling.verdict === 'deny' || ruling.runs.some(({ answer }) => answer?.failed !== undefined)
      ? 'stands'
      : 'newer answer';
  }

  #logOf(session: string, code: typeof Code): RefusalLog {
    const folders = this.#folders;
    if (folders === undefined) return this.#memory.get(session) ?? new code.RefusalLog();
    const key = JSON.stringify(folders);
    if (this.#journal?.key !== key) this.#journal = { follower: code.followRefusals(folders), key };
    return this.#journal.follower.session(session);
  }

  #hasRefusals(session: string): boolean {
    return this.#parts.store.read(session).hasRefusals === true;
  }
  /** A program that keeps its records in memory looks once for what an earlier process has recorded. */
  #mayHaveRefusals(session: string): boolean {
    if (this.#hasRefusals(session)) return true;
    if (this.#parts.isShared || this.#folders === undefined || this.#seen.has(session)) return false;
    if (this.#seen.size >= MOST_SESSIONS) this.#seen.clear();
    this.#seen.add(session);
    return true;
  }
}

interface Repeat {
  /** The call is refused, or the user has answered. */
  readonly ruling?: Ruling;
  /** Goes into the record if the hooks do not refuse. */
  readonly sticky?: Sticky;
  readonly lost?: string;
}

/** Rules judge by what happened in the meantime, so they always judge again. */
const remembers = (hook: Hook, { isOn }: Pick<RefusalScene, 'isOn'>): boolean =>
  hook.sticky !== false &&
  (isOn || isOrganisations(hook)) &&
  hook.roles.includes('guard') &&
  hook.run.kind !== 'rule' &&
  hook.run.kind !== 'missing' &&
  !isBuiltIn(hook);

/** The hook whose own decision the refusal is, or the one whose question the user answered. A failure decides nothing. */
function refuserIn({ reasons, approval }: Ruling, scene: RefusalScene): Hook | undefined {
  const isUsers = approval?.kind === 'refuse';
  if (reasons.some(({ by }) => by === BY_USER) && !isUsers) return undefined;
  return reasons
    .filter(({ broken }) => broken !== true)
    .map(({ by }) => scene.hooks.find(({ id }) => id === by))
    .find((hook) => hook !== undefined && (isUsers || remembers(hook, scene)));
}

async function refuse(
  { by, reason, atMs }: Code.Refusal,
  event: Event,
  sticky: Extract<Sticky, { kind: 'repeated' }>,
  { hooks, can, judge, settle }: RefusalScene,
): Promise<Ruling> {
  const { times } = sticky;
  const hook = hooks.find(({ id }) => id === by);
  const who = by === BY_USER ? 'the user' : `\`${hook === undefined ? by : label(hook).split('\n')[0]!}\``;
  const since = timeText(atMs);
  const text = `Already refused at ${since} by ${who}: ${reason}`;
  const isTooOften = times > MOST_ATTEMPTS;
  if (!isTooOften || !(can.ask || can.halt)) return denied(event, sticky, text);
  const often = `Already refused ${times - 1} times since ${since} by ${who}: ${reason}`;
  if (!can.ask) return { ...denied(event, sticky, often), flow: { halt: often } };
  const judged = await judge(by);
  if (judged.verdict === 'deny' || judged.verdict === 'defer') return judged;
  const questions = judged.verdict === 'ask' ? judged.reasons : [];
  return settle({ ...judged, verdict: 'ask', reasons: [{ by, text: often }, ...questions], sticky });
}

const denied = (event: Event, sticky: Sticky, text: string): Ruling => ({
  ...silentOutcome(event),
  verdict: 'deny',
  reasons: [{ by: sticky.by, text }],
  runs: [{ hook: sticky.by, round: 1, ms: 0, skipped: 'it refused this earlier' }],
  sticky,
});

const timeText = (atMs: number): string =>
  Number.isFinite(atMs) ? new Date(atMs).toTimeString().slice(0, 5) : 'an unknown time';
