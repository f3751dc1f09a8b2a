/**
 * Replaces trusted project guards that were changed, damaged or removed. Calls that they covered need the user's
 * confirmation, or are refused if the user cannot be asked.
 */

import { readMatcher } from '../agents/anyhook/dialect/match.ts';
import type { Dialect } from '../events/dialect.ts';
import { ask, deny } from '../events/effects.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../events/events.ts';
import { type Hook, label } from '../events/hook.ts';
import { identityOf } from '../settings/trust/record.ts';
import { readTrustedGuards, type TrustedGuard, writeTrustedGuards } from '../settings/trusted-guards.ts';
import { builtIn } from './built-in.ts';
import type { ExaminedEntry } from './gate.ts';
import type { LeftHooks } from './left-hooks.ts';

export interface MissedTerms {
  readonly file: string;
  readonly root: string;
  readonly dialects: readonly Dialect[];
  /** Trusted for this run only, so it may be missing in the next. */
  readonly passing: readonly string[];
  readonly left: LeftHooks;
}

/** Returns questions that replace missing trusted guards, and stores the current guards for the next run. */
export function missedGuards(
  hooks: readonly Hook[],
  examined: readonly ExaminedEntry[],
  { file, root, dialects, passing, left }: MissedTerms,
): readonly Hook[] {
  const known = readTrustedGuards(file);
  const here = standingIn(hooks, examined).filter(({ hash }) => !passing.includes(hash));
  const trusted = new Set(
    examined.flatMap(({ judgement }) => (judgement.state === 'trusted' ? [judgement.hash] : [])),
  );
  // Newer trusted content of the same entry replaces the guard.
  const renewed = new Set(
    examined.flatMap(({ judgement: { state, hash, trustedFiles: cover } }) =>
      state === 'trusted' && !known.some((one) => one.hash === hash) ? [identityOf(cover)] : [],
    ),
  );
  const missed = known.filter(
    (guard) => !trusted.has(guard.hash) && !renewed.has(guard.identity) && !isLeft(guard, left),
  );
  const fresh = here.filter((one) => !known.some((old) => old.hash === one.hash && old.on === one.on));
  if (fresh.length > 0) writeTrustedGuards(file, root, [...known, ...fresh]);
  return missed.flatMap((guard) => questionFor(guard, dialects, examined));
}

/** Whether the host reads and runs the file of the guard itself. */
const isLeft = (guard: TrustedGuard, { hooks, modules }: LeftHooks): boolean =>
  modules.some(({ file }) => file === guard.file) ||
  hooks.some(
    (hook) =>
      hook.origin.file === guard.file &&
      hook.dialect === guard.dialect &&
      hook.on === guard.on &&
      hook.matcher === guard.matcher &&
      label(hook) === guard.label,
  );

/** With `"untrusted": "refuse"`, every call is refused while a guard of the project waits for trust. */
export function refusalUntilTrusted(examined: readonly ExaminedEntry[]): readonly Hook[] {
  const waiting = examined.filter(
    ({ judgement, hook }) =>
      judgement.state !== 'trusted' && (hook === undefined || hook.roles.includes('guard')),
  );
  if (waiting.length === 0) return [];
  const text = `this project has ${waiting.length === 1 ? 'a guard that waits' : `${waiting.length} guards that wait`} for trust, and your settings refuse calls until then ("untrusted": "refuse"). To review them, run: anyhook trust add`;
  return [
    builtIn('anyhook:untrusted', 'refuses while guards of the project wait for trust', () => deny(text)),
  ];
}

/**
 * Called after a review by the user: newly trusted guards replace their old versions, and dropped guards are forgotten.
 */
export function settleTrustedGuards(
  file: string,
  root: string,
  looked: { readonly identity?: string; readonly hash?: string; readonly but?: ReadonlySet<string> },
): boolean {
  const known = readTrustedGuards(file);
  const left = known.filter(
    ({ hash, identity }) =>
      hash !== looked.hash && (identity !== looked.identity || looked.but?.has(hash) === true),
  );
  if (left.length < known.length) writeTrustedGuards(file, root, left);
  return left.length < known.length;
}

function standingIn(hooks: readonly Hook[], examined: readonly ExaminedEntry[]): TrustedGuard[] {
  return hooks.flatMap((hook) => {
    const { origin, roles, run, background, shadow } = hook;
    if (origin.layer !== 'project' || !roles.includes('guard') || run.kind === 'missing') return [];
    if (background || shadow) return [];
    const one = examined.find(
      ({ file, line, hook: asked }) =>
        file === origin.file && (asked === undefined || (line === origin.line && asked.on === hook.on)),
    );
    if (one?.judgement.state !== 'trusted') return [];
    const { hash, trustedFiles: cover } = one.judgement;
    return [
      {
        hash,
        identity: identityOf(cover),
        label: label(hook),
        file: origin.file,
        dialect: hook.dialect,
        on: hook.on,
        ...(hook.matcher !== undefined && { matcher: hook.matcher }),
        ...(hook.match.kind === 'names' && { names: hook.match.names }),
      },
    ];
  });
}

function questionFor(
  guard: TrustedGuard,
  dialects: readonly Dialect[],
  examined: readonly ExaminedEntry[],
): Hook[] {
  const event = eventOf(guard, dialects);
  if (event === undefined) return [];
  const state = examined.find(({ judgement }) => identityOf(judgement.trustedFiles) === guard.identity)
    ?.judgement.state;
  const became =
    state === 'modified' ? 'has changed since' : state === undefined ? 'is gone' : 'is no longer trusted';
  const text = `a guard of this project that you trusted ${became}: ${guard.label} (${guard.file}). Calls that it covered need your confirmation until you review it: anyhook trust list`;
  return [
    builtIn(`anyhook:stood-here:${guard.hash.slice(-12)}`, `replaces ${guard.label}`, () => ask(text), {
      on: event,
      ...matchOf(guard, event),
    }),
  ];
}

/** Only events that can ask. A prompt that is always refused would lock the user out. */
const eventOf = ({ dialect, on }: TrustedGuard, dialects: readonly Dialect[]): EventName | undefined => {
  const words = dialects.find(({ name }) => name === dialect)?.words;
  return EVENT_NAMES.find(
    (name) => words?.[name]?.includes(on) === true && rowOf(name).effects.includes('ask'),
  );
};

/** Except for our own dialect, only the tool name of a matcher is known, so all calls of that tool match. */
function matchOf({ dialect, matcher, names }: TrustedGuard, event: EventName): Pick<Hook, 'match' | 'when'> {
  if (dialect === 'anyhook' && matcher !== undefined) {
    const { matcher: read } = readMatcher(matcher, event);
    if (read !== undefined) return read;
  }
  return names === undefined ? { match: { kind: 'any' } } : { match: { kind: 'names', names } };
}
