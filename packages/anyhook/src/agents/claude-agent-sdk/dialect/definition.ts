/** Converts registered or exported callbacks to hooks of the engine. */

import type { HookFailure } from '../../../events/exchange.ts';
import type { Hook, Layer, Role, WayOf } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { rolesOn } from '../../../events/roles.ts';
import { claudeEvent } from '../../claude-code/dialect/events.ts';
import { type ClaudeMatcher, readMatcher } from '../../claude-code/dialect/matcher.ts';
import type { HookCallback, HookContext, HooksByEvent } from './hook-callback.ts';
import type { HookEvent } from './hook-event.ts';
import type { HookInput } from './hook-input.ts';
import { type HookEntry, PROGRAM, readCallbackHooks } from './read-hooks.ts';

export const CALLBACK_TIMEOUT_MS = 30_000;

export interface DefinedHooks {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
}

/** The origin of the callbacks. */
export interface CallbackSource {
  readonly layer: Layer;
  readonly file: string;
  /** Its name: the program's `sdk`, or a module's export. */
  readonly name: string;
  /** The line of an event's callbacks; default: their index. */
  readonly lineOf?: (event: HookEvent) => number;
}
const PROGRAMS: CallbackSource = { layer: 'session', file: PROGRAM, name: 'sdk' };

export function hooksFromCallbacks(
  registered: HooksByEvent | undefined,
  source: CallbackSource = PROGRAMS,
): DefinedHooks {
  const { entries, problems } = readCallbackHooks(registered, source.file);
  const read = entries.map((entry) => ({ entry, ...matcherOf(entry, source.file) }));
  return {
    hooks: read.flatMap(({ entry, matcher, fault }, index) =>
      entry.callbacks.map((callback, at) => ({
        ...hookOf(entry, `${entry.key}.hooks[${at}]`, source, index + 1),
        ...matcher,
        run: fault === undefined ? wayOf(callback) : ({ kind: 'missing', why: broken(fault) } as const),
      })),
    ),
    problems: [...problems, ...read.flatMap(({ fault, doubt }) => fault ?? doubt ?? [])],
  };
}

/** A pattern is code and cannot be transferred. Its source is transferred and parsed again here. */
export function rematched(hook: Hook): Hook {
  if (hook.run.kind === 'missing') return hook;
  return { ...hook, ...readMatcher(hook.matcher, hook.on as HookEvent).matcher };
}

const hookOf = (
  entry: HookEntry,
  key: string,
  { layer, file, name, lineOf }: CallbackSource,
  nth: number,
): Omit<Hook, 'run' | 'match'> => ({
  id: `${file}#${name}.${key}`,
  dialect: 'claude-agent-sdk',
  on: entry.event,
  origin: { layer, file, line: lineOf?.(entry.event) ?? nth },
  roles: rolesFor(entry.event),
  ...(entry.matcher !== null && { matcher: entry.matcher }),
  background: false,
  shadow: false,
  timeoutMs: entry.timeoutMs ?? CALLBACK_TIMEOUT_MS,
  ...(entry.onFailure !== undefined && { onFailure: entry.onFailure }),
});

/** An invalid matcher must not disable a guard. The hook stays and fails by its policy. */
function matcherOf(
  { event, matcher, key }: HookEntry,
  file: string,
): { matcher: ClaudeMatcher; fault?: Problem; doubt?: Problem } {
  const at = { file, key: `${key}.matcher` };
  try {
    const { matcher: read, doubt } = readMatcher(matcher ?? undefined, event);
    const code = claudeEvent(event).matcher === null ? 'matcher-unused' : 'bad-matcher';
    return { matcher: read, ...(doubt && { doubt: { ...doubt, code, ...at, severity: 'warning' } }) };
  } catch (error) {
    const fault: Problem = {
      code: 'bad-matcher',
      ...at,
      message: `${JSON.stringify(matcher)}: ${(error as Error).message}.`,
      remedy: 'Write names with | between them, or a regular expression.',
      severity: 'error',
    };
    return { matcher: readMatcher(undefined, event).matcher, fault };
  }
}
const broken = ({ message }: Problem): HookFailure => ({ kind: 'not-loaded', detail: message });

/** For native events the roles depend on the possible answers. */
function rolesFor(event: HookEvent): readonly Role[] {
  const { on, block, fields } = claudeEvent(event);
  if (on !== 'other') return rolesOn(on);
  // The hook creates the worktree, so running it twice would create two.
  if (fields.includes('worktreePath')) return ['mutator'];
  return block === 'nothing' || block === 'tell-person' ? ['observer'] : ['guard'];
}

/** The runner aborts the call, and the context passes the signal to the callback. */
const wayOf = (callback: HookCallback): WayOf<'call'> => ({
  kind: 'call',
  fn(this: Pick<HookContext, 'signal'>, input: HookInput, toolUseId: string | null, context: HookContext) {
    return callback(input, toolUseId, { ...context, signal: this.signal });
  },
});
