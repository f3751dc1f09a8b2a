/** What a program registered or a module exports, as hooks for the engine: next to files, same record, same outcome. */
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

/** Who says it. */
export interface CallbackSource {
  readonly layer: Layer;
  readonly file: string;
  /** What it is called there: the program's `sdk`, a module's export. */
  readonly name: string;
  /** Where an event's callbacks stand; without it, they are counted. */
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

/** A pattern is code and crosses to no other process: what its author wrote does, and is read again over here. */
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

/** A matcher that makes no sense must not turn a guard off: the hook stays, and fails by its policy. */
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

/** Where the canon has no word of its own, by what an answer can do there. */
function rolesFor(event: HookEvent): readonly Role[] {
  const { on, block, fields } = claudeEvent(event);
  if (on !== 'other') return rolesOn(on);
  // A worktree is made by the hook: to ask it once more would make a second one.
  if (fields.includes('worktreePath')) return ['mutator'];
  return block === 'nothing' || block === 'tell-person' ? ['observer'] : ['guard'];
}

/** The runner's call knows when it is over; the callback hears of it through its context. */
const wayOf = (callback: HookCallback): WayOf<'call'> => ({
  kind: 'call',
  fn(this: Pick<HookContext, 'signal'>, input: HookInput, toolUseId: string | null, context: HookContext) {
    return callback(input, toolUseId, { ...context, signal: this.signal });
  },
});
