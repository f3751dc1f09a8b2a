/**
 * Runs the selected hooks of every dialect on one event and merges their answers. Depends on no agent and no
 * event name.
 */

import type { EffectKind, Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { Ruling } from '../events/outcome.ts';
import { decides } from '../events/roles.ts';
import { NEVER } from '../events/signal.ts';
import { askViews } from './ask-views.ts';
import type { FireLimits } from './ask.ts';
import { fitOf, isOpaque } from './fit.ts';
import { lateRun } from './late-run.ts';
import type { Parts } from './parts.ts';
import { type Group, type EventPlan, type Plans, viewsFor } from './plan.ts';
import { type HookAnswer, Tally } from './tally.ts';
import { type EventView, eventViewOf } from './views.ts';

/** Queues per engine, released with the engine. */
const tails = new WeakMap<Parts, Map<string, Promise<unknown>>>();

/** Starts immediately if the queue is empty. `work` never rejects. */
function inQueue<T>({ queue, run }: Hook, parts: Parts, work: () => Promise<T>): Promise<T> {
  if (queue === undefined || run.kind === 'command') return work();
  let queues = tails.get(parts);
  if (queues === undefined) tails.set(parts, (queues = new Map()));
  const before = queues.get(queue);
  const done = before === undefined ? work() : before.then(work);
  queues.set(queue, done);
  const leave = () => void (queues.get(queue) === done && queues.delete(queue));
  void done.then(leave, leave);
  return done;
}

export async function fireEvent(
  event: Event,
  plan: EventPlan,
  plans: Plans,
  parts: Parts,
  terms: FireLimits,
): Promise<Ruling> {
  const tally = new Tally(event, plan.place, { allShadow: parts.shadow === true });
  const state: FireState = { event, parts, tally, terms };
  for (const group of plan.groups) await askGroup(group, state);
  if (decides(event.name) && tally.contested && !tally.has(['deny'])) await askAgain(plans, state);
  return tally.outcome(plan.unmatched, terms.signal.aborted);
}

/** Limits that apply to all hooks of one event, counted from this call. */
export const limitsOf = (
  { budgetMs: usualMs = Infinity }: Parts,
  signal: AbortSignal = NEVER,
  budgetMs = Infinity,
): FireLimits => ({ signal, until: performance.now() + Math.min(usualMs, budgetMs) });

interface FireState {
  readonly event: Event;
  readonly parts: Parts;
  readonly tally: Tally;
  readonly terms: FireLimits;
}

async function askGroup(group: Group, state: FireState): Promise<void> {
  const { hooks, sharing } = group;
  const { tally } = state;
  if (tally.has(sharing.stopsOn)) {
    for (const hook of hooks) tally.skip(hook, 'refused before its turn');
    return;
  }
  const mark = tally.mark;
  const asked = sharing.order === 'in-turn' ? await inTurn(group, state) : await sideBySide(group, state);
  // Decides per kind of effect: a later notice does not replace an earlier change.
  const lastWith = (kind: EffectKind) =>
    asked
      .filter((hookAnswer) => tally.counting(hookAnswer).some((effect) => effect.kind === kind))
      .at(sharing.keep === 'first' ? 0 : -1);
  for (const hookAnswer of asked) {
    let final = hookAnswer;
    if (sharing.order === 'together' && tally.collides(hookAnswer, mark)) {
      tally.take(hookAnswer, 1, () => false); // Keep this hook's refusals. Run the hook again on the current value for everything else.
      final = await askAnew(hookAnswer, group, state);
    }
    tally.take(final, 1, (kind) => sharing.keep === 'all' || lastWith(kind) === hookAnswer);
  }
}

async function inTurn(group: Group, state: FireState): Promise<HookAnswer[]> {
  const { hooks, sharing } = group;
  const { tally } = state;
  const asked: HookAnswer[] = [];
  let now = viewFor(group, state, tally.value);
  let stopper: string | undefined;
  for (const hook of hooks) {
    // A hook with `isFirst` runs even after a refusal: it is cheap, and its reason is useful too.
    if (stopper !== undefined && hook.isFirst !== true) {
      tally.skip(hook, `stopped by ${stopper}`);
      continue;
    }
    const views = viewsFor(hook, group, now, state.parts);
    if (!shouldRun(hook, now, views, state)) continue;
    if (hook.background) {
      detach(hook, group, now, views, state);
      continue;
    }
    const pending = askOne(hook, group, now, views, state);
    const hookAnswer = pending instanceof Promise ? await pending : pending;
    asked.push(hookAnswer);
    if (sharing.sees === 'so-far' && now.whole !== null) {
      const view = tally.after(now.whole.payload as Fields, hookAnswer);
      // The payload is already in the group's form.
      if (view !== now.whole.payload)
        now = eventViewOf({ ...now.whole, payload: view } as Event, { knownAs: group.knownAs });
    }
    const isStopped = tally.counting(hookAnswer).some((effect) => sharing.stopsOn.includes(effect.kind));
    if (isStopped || (hookAnswer.answer.endsTurn === true && state.parts.seedStrict === true))
      stopper ??= hook.id;
  }
  return asked;
}

async function sideBySide(group: Group, state: FireState): Promise<HookAnswer[]> {
  const now = viewFor(group, state, state.tally.value);
  const awaited: { hook: Hook; views: readonly Event[] }[] = [];
  for (const hook of group.hooks) {
    const views = viewsFor(hook, group, now, state.parts);
    if (!shouldRun(hook, now, views, state)) continue;
    if (group.sharing.order === 'together' && !hook.background) awaited.push({ hook, views });
    else detach(hook, group, now, views, state);
  }
  return Promise.all(awaited.map(({ hook, views }) => askOne(hook, group, now, views, state)));
}

/** Runs the hook again on the current value. The hook may no longer match any part of it. */
async function askAnew(hookAnswer: HookAnswer, group: Group, state: FireState): Promise<HookAnswer> {
  const now = viewFor(group, state, state.tally.value);
  const views = viewsFor(hookAnswer.hook, group, now, state.parts);
  return views.length === 0
    ? { ...hookAnswer, answer: { effects: [] } }
    : askOne(hookAnswer.hook, group, now, views, state);
}

/**
 * An approval must cover the call that will really run. Runs every matching guard again that has not judged
 * exactly this value.
 */
async function askAgain(plans: Plans, state: FireState): Promise<void> {
  const { event, tally } = state;
  const final = { ...event, payload: tally.value, round: 2 } as Event;
  const stale = (plans.of(final)?.groups ?? [])
    .filter((group) => group.sharing.order !== 'detached')
    .flatMap((group) => {
      const now = viewFor(group, { ...state, event: final }, tally.value);
      if (now.whole === null) return [];
      const { payload } = now.whole;
      return group.hooks
        .filter((hook) => hook.roles.includes('guard') && !hook.background && !waitsForTrust(hook))
        .filter((hook) => !tally.judged(hook, payload as Fields))
        .map((hook) => ({ hook, group, now, views: viewsFor(hook, group, now, state.parts) }))
        .filter(({ views }) => views.length > 0);
    });
  const answers = await Promise.all(
    stale.map(({ hook, group, now, views }) => askOne(hook, group, now, views, state)),
  );
  for (const hookAnswer of answers) tally.take(hookAnswer, 2);
}

const viewFor = (group: Group, { event }: FireState, payload: Fields): EventView =>
  eventViewOf(payload === event.payload ? event : ({ ...event, payload } as Event), group);

const waitsForTrust = ({ run }: Hook) => run.kind === 'missing' && run.why.kind === 'not-trusted';

function shouldRun(hook: Hook, now: EventView, views: readonly Event[], { tally }: FireState): boolean {
  const why = views.length === 0 ? skipReason(hook, now) : waitsForTrust(hook) ? 'not trusted' : '';
  if (why !== '') tally.skip(hook, why);
  return why === '';
}

/**
 * Returns why a hook is skipped: it does not match, or its matcher cannot tell and its policy lets the event
 * pass.
 */
function skipReason(hook: Hook, { whole }: EventView): string {
  const fit = whole === null ? false : fitOf(hook, whole);
  return isOpaque(fit) ? `could not be judged: ${fit.opaque}` : 'does not match';
}

function askOne(
  hook: Hook,
  group: Group,
  now: EventView,
  views: readonly Event[],
  { parts, terms }: FireState,
): HookAnswer | Promise<HookAnswer> {
  const asked = askViews(hook, group, now, views, parts, terms);
  const { toFired } = group;
  if (toFired === undefined) return asked;
  return asked instanceof Promise
    ? asked.then((hookAnswer) => ({ ...hookAnswer, toFired }))
    : { ...asked, toFired };
}

/**
 * Starts a background hook. It cannot decide anything: its answer goes to `onLate`, and the deadline of the
 * fire does not apply. Each act of a call is started separately, because a program that takes over the hook
 * knows only one start and would not begin the next act.
 */
function detach(
  hook: Hook,
  group: Group,
  now: EventView,
  views: readonly Event[],
  { tally, parts, terms }: FireState,
): void {
  if (terms.signal.aborted) return tally.skip(hook, 'aborted');
  for (const view of views) {
    const late = crypto.randomUUID();
    tally.detach(hook, late);
    const start = async () =>
      askViews(hook, group, now, [view], parts, { signal: NEVER, until: Infinity, late });
    void inQueue(hook, parts, start).then((asked) => parts.onLate?.(lateRun(late, asked), hook, view));
  }
}
