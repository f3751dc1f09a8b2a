/** One entry of Opta's `hooks` list, as a hook. */
import type { Place } from '../../canon/dialect.ts';
import type { Breakage } from '../../canon/exchange.ts';
import type { Hook, OnFailure, Way } from '../../canon/hook.ts';
import { compilePattern } from '../../canon/pattern.ts';
import { rolesOn } from '../../canon/roles.ts';
import { type OptaEvent, ours } from './names.ts';

/** The document's fields, then those of the fourth version. */
export interface OptaEntry {
  readonly event: OptaEvent;
  readonly command?: string;
  /** Regular expression on the tool's name: unanchored, case-sensitive. */
  readonly matcher?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly background?: boolean;
  readonly type?: 'command' | 'prompt';
  readonly prompt?: string;
  readonly protocol?: 'json';
  readonly statusMessage?: string;
  readonly onFailure?: OnFailure;
}

export const DEFAULT_TIMEOUT = 10_000;
export const SHORTEST = 100;
export const LONGEST = 60_000;

/** What a hook inherits of the environment, besides every `OPTA_*` that is not about another event. */
export const ALLOWED_ENV_KEYS = [
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'TERM',
  'LANG',
  'LC_ALL',
  'NODE_ENV',
  'TMPDIR',
] as const;
/** Left over from an outer run, these would speak of an event that is not this one. */
const STALE = [
  'EVENT',
  'TOOL_NAME',
  'TOOL_ARGS',
  'TOOL_ARGS_TRUNCATED',
  'TOOL_RESULT',
  'PAYLOAD_FILE',
  'ERROR',
]
  .concat('TURN_INDEX', 'PROMPT', 'STOP_ACTIVE')
  .map((name) => `!OPTA_${name}`);
const ENV = [...ALLOWED_ENV_KEYS, 'OPTA_*', ...STALE];

export const TOOL_EVENTS: ReadonlySet<string> = new Set(['tool.pre', 'tool.post']);

/** Throws a SyntaxError for a matcher that is no pattern. */
export function hookFrom(entry: OptaEntry, place: Place, index: number, line: number): Hook {
  const { event, matcher, statusMessage, onFailure } = entry;
  const pattern = matcher === undefined ? undefined : compilePattern(matcher);
  return {
    id: `opta:${place.file}#${index + 1}`,
    dialect: 'opta',
    on: event,
    origin: { layer: place.layer, file: place.file, line },
    roles: rolesOn(ours(event)!),
    match:
      pattern === undefined
        ? { kind: 'any' }
        : { kind: 'pattern', source: pattern.source, test: (tool) => tool !== '' && pattern.test(tool) },
    ...(matcher !== undefined && { matcher }),
    run: wayOf(entry, place),
    background: entry.background === true,
    shadow: false,
    timeoutMs: entry.timeout ?? DEFAULT_TIMEOUT,
    ...(onFailure !== undefined && { onFailure }),
    ...(statusMessage !== undefined && { status: statusMessage }),
    ...(entry.protocol !== undefined && { extra: { protocol: entry.protocol } }),
  };
}

function wayOf({ type, prompt, command }: OptaEntry, { folder }: Place): Way {
  if (type === 'prompt') return { kind: 'prompt', text: prompt ?? '' };
  return {
    kind: 'command',
    run: { line: command ?? '' },
    env: ENV,
    ...(folder !== undefined && { cwd: folder }),
  };
}

/** An entry that was meant as a guard and cannot be read: it is there, and it fails by its policy. */
export function missingHook(
  event: OptaEvent,
  place: Place,
  index: number,
  line: number,
  why: Breakage,
): Hook {
  return { ...hookFrom({ event, command: '' }, place, index, line), run: { kind: 'missing', why } };
}
