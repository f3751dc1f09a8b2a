/** One fire: the chosen hooks of every dialect, one outcome. Knows no agent and no event's name. */
import type { EffectKind, Fields } from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import type { Hook } from '../canon/hook.ts';
import { NEVER } from '../canon/signal.ts';
import type { Ruling } from '../canon/outcome.ts';
import { decides } from '../canon/roles.ts';
import { ask, readReply, type Terms, weighFailure } from './ask.ts';
import { type Head, SILENT } from './direct.ts';
import { inLane } from './lanes.ts';
import { lateRun } from './late-run.ts';
import { type Asked, type Ledger, openLedger } from './ledger.ts';
import type { Parts } from './parts.ts';
import type { Group, Plan, Plans } from './plan.ts';

export async function fire(
  event: Event,
  plan: Plan,
  plans: Plans,
  parts: Parts,
  signal: AbortSignal = NEVER,
  head?: Head,
): Promise<Ruling> {
  const ledger = openLedger(event, plan.place, parts.shadow === true);
  const terms: Terms = { signal, until: performance.now() + (parts.budgetMs ?? Infinity) };
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
      final = await askOne(one.hook, group, shown(group, road, ledger.value)!, road);
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
    if (!may(hook, now, road)) continue;
    if (hook.background) {
      detach(hook, group, now, road);
      continue;
    }
    const one = already(i, hook, group, now, road) ?? (await askOne(hook, group, now, road));
    asked.push(one);
    if (manner.sees === 'so-far') {
      const view = ledger.after(now.payload as Fields, one);
      if (view !== now.payload) now = { ...now, payload: view } as Event;
    }
    const stops = ledger.counting(one).some((effect) => manner.stopsOn.includes(effect.kind));
    if (!stops) continue;
    for (const rest of hooks.slice(i + 1)) ledger.skip(rest, `stopped by ${hook.id}`);
    break;
  }
  return asked;
}

/** The answer the short way has brought, if it got as far as this hook. */
function already(i: number, hook: Hook, { dialect }: Group, now: Event, { head }: Road): Asked | undefined {
  if (head === undefined || i > head.silent) return undefined;
  const answer = i < head.silent ? SILENT : readReply(head.reply, hook, dialect, now);
  return weighFailure(hook, dialect, now, answer, 0);
}

async function sideBySide(group: Group, road: Road): Promise<Asked[]> {
  const now = shown(group, road, road.ledger.value);
  const awaited: Hook[] = [];
  for (const hook of group.hooks) {
    if (!may(hook, now, road)) continue;
    if (group.manner.order === 'together' && !hook.background) awaited.push(hook);
    else detach(hook, group, now, road);
  }
  return Promise.all(awaited.map((hook) => askOne(hook, group, now!, road)));
}

/** Approval is for what will really run: every guard that matches it and has not judged exactly it is asked once more. */
async function askAgain(plans: Plans, road: Road): Promise<void> {
  const { event, ledger } = road;
  const final = { ...event, payload: ledger.value, round: 2 } as Event;
  const stale = (plans.of(final)?.groups ?? [])
    .filter((group) => group.manner.order !== 'detached')
    .flatMap((group) => {
      const now = shown(group, { ...road, event: final }, ledger.value);
      if (now === null) return [];
      return group.hooks
        .filter((hook) => hook.roles.includes('guard') && !hook.background && !waitsForTrust(hook))
        .filter((hook) => fitsNow(hook, now) && !ledger.judged(hook, now.payload as Fields))
        .map((hook) => ({ hook, group, now }));
    });
  const answers = await Promise.all(stale.map(({ hook, group, now }) => askOne(hook, group, now, road)));
  for (const one of answers) ledger.take(one, 2);
}

/** The event as the hooks of a group know it: one object for all of them, so that it is put into words once. */
function shown({ as, seen }: Group, { event }: Road, payload: Fields): Event | null {
  const known = seen === undefined ? payload : seen(payload);
  if (known === null) return null;
  return as === event.name && known === event.payload
    ? event
    : ({ ...event, name: as, payload: known } as Event);
}

/** A matcher that throws is in doubt, and in doubt the hook runs. */
function fitsNow(hook: Hook, now: Event): boolean {
  try {
    return hook.when?.(now) ?? true;
  } catch {
    return true;
  }
}
const waitsForTrust = ({ run }: Hook) => run.kind === 'missing' && run.why.kind === 'not-trusted';

function may(hook: Hook, now: Event | null, { ledger }: Road): now is Event {
  const why = waitsForTrust(hook)
    ? 'not trusted'
    : now !== null && fitsNow(hook, now)
      ? ''
      : 'does not match';
  if (why !== '') ledger.skip(hook, why);
  return why === '';
}

const askOne = (hook: Hook, group: Group, now: Event, { parts, terms }: Road) =>
  ask(hook, group.dialect, now, parts, terms);

/** Not waited for; it cannot decide. What it says goes to `onLate`; its time is its own, not the fire's. */
function detach(hook: Hook, group: Group, now: Event, { ledger, parts, terms }: Road): void {
  if (terms.signal.aborted) return ledger.skip(hook, 'aborted');
  const late = crypto.randomUUID();
  ledger.detach(hook, late);
  const start = () => ask(hook, group.dialect, now, parts, { signal: NEVER, until: Infinity, late });
  void inLane(hook, parts, start).then((asked) => parts.onLate?.(lateRun(late, asked), hook, now));
}
