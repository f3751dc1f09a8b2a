/** What a program registered, as hooks for the engine: next to files and modules, same record, same outcome. */
import type { Breakage } from '../../canon/exchange.ts';
import type { Hook, Role, WayOf } from '../../canon/hook.ts';
import type { Problem } from '../../canon/problems.ts';
import { rolesOn } from '../../canon/roles.ts';
import { eventRow } from '../claude-code/events.ts';
import { type Matcher, readMatcher } from '../claude-code/matcher.ts';
import type { HookCallback, HookContext, HooksByEvent } from './hook-callback.ts';
import type { HookEvent } from './hook-event.ts';
import type { HookInput } from './hook-input.ts';
import { type HookEntry, PROGRAM, readHooks } from './read-hooks.ts';

export const DEFAULT_TIMEOUT_MS = 30_000;

export interface DefinedHooks {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
}

export function hooksFrom(registered: HooksByEvent | undefined): DefinedHooks {
  const { entries, problems } = readHooks(registered);
  const read = entries.map((entry) => ({ entry, ...matcherOf(entry) }));
  return {
    hooks: read.flatMap(({ entry, matcher, fault }, index) =>
      entry.callbacks.map((callback, at) => ({
        ...hookOf(entry, `${entry.key}.hooks[${at}]`, index + 1),
        ...matcher,
        run: fault === undefined ? wayOf(callback) : ({ kind: 'missing', why: broken(fault) } as const),
      })),
    ),
    problems: [...problems, ...read.flatMap(({ fault }) => fault ?? [])],
  };
}

const hookOf = (entry: HookEntry, key: string, line: number): Omit<Hook, 'run' | 'match'> => ({
  id: `${PROGRAM}#sdk.${key}`,
  dialect: 'claude-agent-sdk',
  on: entry.event,
  origin: { layer: 'session', file: PROGRAM, line },
  roles: rolesFor(entry.event),
  ...(entry.matcher !== null && { matcher: entry.matcher }),
  background: false,
  shadow: false,
  timeoutMs: entry.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  ...(entry.onFailure !== undefined && { onFailure: entry.onFailure }),
});

/** A matcher that makes no sense must not turn a guard off: the hook stays, and fails by its policy. */
function matcherOf({ event, matcher, key }: HookEntry): { matcher: Matcher; fault?: Problem } {
  try {
    return readMatcher(matcher ?? undefined, event);
  } catch (error) {
    const fault: Problem = {
      code: 'bad-matcher',
      file: PROGRAM,
      key: `${key}.matcher`,
      message: `${JSON.stringify(matcher)}: ${(error as Error).message}.`,
      remedy: 'Write names with | between them, or a regular expression.',
      severity: 'error',
    };
    return { matcher: readMatcher(undefined, event).matcher, fault };
  }
}
const broken = ({ message }: Problem): Breakage => ({ kind: 'not-loaded', detail: message });

/** Where the canon has no word of its own, by what an answer can do there. */
function rolesFor(event: HookEvent): readonly Role[] {
  const { on, block, fields } = eventRow(event);
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
