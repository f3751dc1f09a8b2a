/** Converts one entry of Opta's `hooks` list to a hook. */

import type { Place } from '../../../events/dialect.ts';
import type { HookFailure } from '../../../events/exchange.ts';
import type { Hook, Match, OnFailure, Way } from '../../../events/hook.ts';
import { compilePattern } from '../../../events/pattern.ts';
import { rolesOn } from '../../../events/roles.ts';
import { type OptaEvent, eventOfOpta } from './names.ts';
import { OPTA_VARIABLES } from './variables.ts';

/** The documented fields, then those of version 4. */
export interface OptaEntry {
  readonly event: OptaEvent;
  readonly command?: string | undefined;
  /** An unanchored, case-sensitive regular expression for the tool name. */
  readonly matcher?: string | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
  readonly background?: boolean | undefined;
  readonly type?: 'command' | 'prompt' | undefined;
  readonly prompt?: string | undefined;
  readonly protocol?: 'json' | undefined;
  readonly statusMessage?: string | undefined;
  readonly onFailure?: OnFailure | undefined;
}

/** The location of an entry: file, index in the list, line. */
export interface OptaEntryPlace extends Place {
  readonly index: number;
  readonly line: number;
  readonly column?: number;
}

export const OPTA_TIMEOUT_MS = 10_000;
export const SHORTEST_MS = 100;
export const OPTA_LONGEST_MS = 60_000;

const TOOL_EVENTS: ReadonlySet<string> = new Set(['tool.pre', 'tool.post']);
/** In Opta a matcher on an event without a tool matches nothing, so the hook never runs. This must be reported. */
export const neverMatches = ({ event, matcher }: Pick<OptaEntry, 'event' | 'matcher'>): string | null =>
  matcher === undefined || TOOL_EVENTS.has(event)
    ? null
    : `${event} has no tool to match, so the hook never runs`;

/** Throws a SyntaxError for an invalid matcher. */
export function hookFromEntry(entry: OptaEntry, entryPlace: OptaEntryPlace): Hook {
  const { event, matcher, statusMessage, onFailure } = entry;
  const { layer, file, line, column } = entryPlace;
  return {
    id: `opta:${file}#${entryPlace.index + 1}`,
    dialect: 'opta',
    on: event,
    origin: { layer, file, line, ...(column !== undefined && { column }) },
    roles: rolesOn(eventOfOpta(event)!),
    match: matchOf(matcher),
    ...(matcher !== undefined && { matcher }),
    run: wayOf(entry, entryPlace),
    background: entry.background === true,
    shadow: false,
    timeoutMs: entry.timeout ?? OPTA_TIMEOUT_MS,
    ...(onFailure !== undefined && { onFailure }),
    ...(statusMessage !== undefined && { status: statusMessage }),
    ...(entry.protocol !== undefined && { extra: { protocol: entry.protocol } }),
  };
}

/** An unreadable entry stays and fails by its policy, for its intended tools. */
export const missingEntry = (entry: OptaEntry, entryPlace: OptaEntryPlace, why: HookFailure): Hook => ({
  ...hookFromEntry(entry, entryPlace),
  run: { kind: 'missing', why },
});

/** An event without a tool, or with an empty tool name, matches no matcher. */
function matchOf(matcher: string | undefined): Match {
  if (matcher === undefined) return { kind: 'any' };
  const { source, test } = compilePattern(matcher);
  return { kind: 'pattern', source, test: (tool) => tool !== '' && test(tool) };
}

function wayOf({ type, prompt, command }: OptaEntry, { folder }: Place): Way {
  if (type === 'prompt') return { kind: 'prompt', text: prompt ?? '' };
  return {
    kind: 'command',
    run: { line: command ?? '' },
    env: OPTA_VARIABLES,
    ...(folder !== undefined && { cwd: folder }),
  };
}
