/** One fire: the chosen hooks of every dialect, one outcome. Knows no agent and no event's name. */
import type { EffectKind, Fields } from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import type { Hook } from '../canon/hook.ts';
import { NEVER } from '../canon/signal.ts';
import type { Ruling } from '../canon/outcome.ts';
import { decides } from '../canon/roles.ts';
import { readReply, type Terms, weighFailure } from './ask.ts';
import { fitOf } from './fit.ts';
import { askViews } from './ask-views.ts';
import { type Head, SILENT } from './direct.ts';
import { inLane } from './lanes.ts';
import { lateRun } from './late-run.ts';
import { type Asked, type Ledger, openLedger } from './ledger.ts';
import type { Parts } from './parts.ts';
import { type Group, type Plan, type Plans, viewsFor } from './plan.ts';
import { type Sight, sightOf } from './views.ts';

export async function fire(
  event: Event,
  plan: Plan,
  plans: Plans,
  parts: Parts,
  signal: AbortSignal = NEVER,
  head?: Head,
): Promise<Ruling> {
  const ledger = openLedger(event, plan.place, parts.shadow === true);
  const { budgetMs = Infinity, until = Infinity } = parts;
  const terms: Terms = { signal, until: Math.min(until, performance.now() + budgetMs) };
  const road: Road = { event, parts, ledger, terms, ...(head && { head }) };
  for (const group of plan.groups) await askGroup(group, road);
  if (decides(event.name) && ledger.contested && !ledger.has(['deny'])) await askAgain(plans, road);
  return ledger.outcome(plan.unmatched, signal.aborted);
}

interface Road {
  readonly event: Event;
  readonly parts: Parts;
  readonly ledger: Ledger;
  readonly terms: Terms;
  /** What the short way already did. */
  readonly head?: Head;
}

async function askGroup(group: Group, road: Road): Promise<void> {
  const { hooks, manner } = group;
  const { ledger } = road;
  if (ledger.has(manner.stopsOn)) {
    for (const hook of hooks) ledger.skip(hook, 'refused before its turn');
    return;
  }
  const mark = ledger.mark;
  const asked = manner.order === 'in-turn' ? await inTurn(group, road) : await sideBySide(group, road);
  // By kind: a later notice does not push an earlier change aside.
  const standing = (kind: EffectKind) =>
    asked
      .filter((one) => ledger.counting(one).some((effect) => effect.kind === kind))
      .at(manner.keep === 'first' ? 0 : -1);
  for (const one of asked) {
    let final = one;
    if (manner.order === 'together' && ledger.collides(one, mark)) {
      ledger.take(one, 1, () => false); // what it refused is said; the rest is asked about the value so far
      final = await askAnew(one, group, road);
    }
    ledger.take(final, 1, (kind) => manner.keep === 'all' || standing(kind) === one);
  }
}

async function inTurn(group: Group, road: Road): Promise<Asked[]> {
  const { hooks, manner } = group;
  const { ledger } = road;
  const asked: Asked[] = [];
  let now = shown(group, road, ledger.value);
  for (const [i, hook] of hooks.entries()) {
    const views = viewsFor(hook, group, now, road.parts);
    if (!may(hook, now, views, road)) continue;
    if (hook.background) {
      detach(hook, group, now, views, road);
      continue;
    }
    const one = already(i, hook, group, now, road) ?? (await askOne(hook, group, now, views, road));
    asked.push(one);
    if (manner.sees === 'so-far' && now.whole !== null) {
      const view = ledger.after(now.whole.payload as Fields, one);
      // It is told in the group's words already.
      if (view !== now.whole.payload)
        now = sightOf({ ...now.whole, payload: view } as Event, { as: group.as });
    }
    const stops = ledger.counting(one).some((effect) => manner.stopsOn.includes(effect.kind));
    if (!stops) continue;
    for (const rest of hooks.slice(i + 1)) ledger.skip(rest, `stopped by ${hook.id}`);
    break;
  }
  return asked;
}

/** The answer the short way has brought, if it got as far as this hook. */
function already(i: number, hook: Hook, group: Group, { whole }: Sight, { head }: Road): Asked | undefined {
  if (head === undefined || whole === null || i > head.silent) return undefined;
  const answer = i < head.silent ? SILENT : readReply(head.reply, hook, group.dialect, whole);
  return weighFailure(hook, group.dialect, whole, answer, 0);
}

async function sideBySide(group: Group, road: Road): Promise<Asked[]> {
  const now = shown(group, road, road.ledger.value);
  const awaited: { hook: Hook; views: readonly Event[] }[] = [];
  for (const hook of group.hooks) {
    const views = viewsFor(hook, group, now, road.parts);
    if (!may(hook, now, views, road)) continue;
    if (group.manner.order === 'together' && !hook.background) awaited.push({ hook, views });
    else detach(hook, group, now, views, road);
  }
  return Promise.all(awaited.map(({ hook, views }) => askOne(hook, group, now, views, road)));
}

/** About the value so far. It may be about none of what is left of it. */
async function askAnew(one: Asked, group: Group, road: Road): Promise<Asked> {
  const now = shown(group, road, road.ledger.value);
  const views = viewsFor(one.hook, group, now, road.parts);
  return views.length === 0 ? { ...one, answer: SILENT } : askOne(one.hook, group, now, views, road);
}

/** Approval is for what will really run: every guard that matches it and has not judged exactly it is asked once more. */
async function askAgain(plans: Plans, road: Road): Promise<void> {
  const { event, ledger } = road;
  const final = { ...event, payload: ledger.value, round: 2 } as Event;
  const stale = (plans.of(final)?.groups ?? [])
    .filter((group) => group.manner.order !== 'detached')
    .flatMap((group) => {
      const now = shown(group, { ...road, event: final }, ledger.value);
      if (now.whole === null) return [];
      const { payload } = now.whole;
      return group.hooks
        .filter((hook) => hook.roles.includes('guard') && !hook.background && !waitsForTrust(hook))
        .filter((hook) => !ledger.judged(hook, payload as Fields))
        .map((hook) => ({ hook, group, now, views: viewsFor(hook, group, now, road.parts) }))
        .filter(({ views }) => views.length > 0);
    });
  const answers = await Promise.all(
    stale.map(({ hook, group, now, views }) => askOne(hook, group, now, views, road)),
  );
  for (const one of answers) ledger.take(one, 2);
}

const shown = (group: Group, { event }: Road, payload: Fields): Sight =>
  sightOf(payload === event.payload ? event : ({ ...event, payload } as Event), group);

const waitsForTrust = ({ run }: Hook) => run.kind === 'missing' && run.why.kind === 'not-trusted';

function may(hook: Hook, now: Sight, views: readonly Event[], { ledger }: Road): boolean {
  const why = waitsForTrust(hook) ? 'not trusted' : views.length > 0 ? '' : passedBy(hook, now);
  if (why !== '') ledger.skip(hook, why);
  return why === '';
}

/** Why it is not asked: it is not about this, or its matcher cannot tell and its policy lets pass. */
function passedBy(hook: Hook, { whole }: Sight): string {
  const fit = whole === null ? false : fitOf(hook, whole);
  return typeof fit === 'object' ? `could not be judged: ${fit.opaque}` : 'does not match';
}

const askOne = (hook: Hook, group: Group, now: Sight, views: readonly Event[], { parts, terms }: Road) =>
  askViews(hook, group, now, views, parts, terms);

/** Not waited for; it cannot decide. What it says goes to `onLate`; its time is its own, not the fire's. */
function detach(
  hook: Hook,
  group: Group,
  now: Sight,
  views: readonly Event[],
  { ledger, parts, terms }: Road,
): void {
  if (terms.signal.aborted) return ledger.skip(hook, 'aborted');
  const late = crypto.randomUUID();
  ledger.detach(hook, late);
  const start = () => askViews(hook, group, now, views, parts, { signal: NEVER, until: Infinity, late });
  void inLane(hook, parts, start).then((asked) => parts.onLate?.(lateRun(late, asked), hook, views[0]!));
}
