/** Hooks that the program itself brings: definitions, and functions by event. */
import { shown, suggestion } from '../canon/checker.ts';
import type { Fields } from '../canon/effects.ts';
import { EVENT_NAMES, isEventName } from '../canon/events.ts';
import type { Hook, WayOf } from '../canon/hook.ts';
import { type Problem, sentences } from '../canon/problems.ts';
import { hookFromDefinition, missingOwnHook } from '../dialects/anyhook/definition.ts';
import type { HooksByEvent } from '../dialects/claude-agent-sdk/hook-callback.ts';
import { HOOK_EVENTS, isHookEvent } from '../dialects/claude-agent-sdk/hook-event.ts';
import { type Candidate, checkDefinitions } from '../runners/module/definitions-in.ts';
import type { CallbacksByEvent, ProgramHooks } from './options.ts';

const PROGRAM = '(program)';

export interface FromProgram {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
  /** What stands under the Claude Agent SDK's names: its own dialect reads that. */
  readonly sdk: readonly HooksByEvent[];
}

export function programHooks(given: ProgramHooks = []): FromProgram {
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const read = items.map((item, index) =>
    readItem(item, items === given ? `hooks[${index}]` : 'hooks', index + 1),
  );
  const { hooks, problems } = hooksOf(read.flatMap(({ candidates }) => candidates));
  return {
    hooks,
    problems: [...read.flatMap((one) => one.problems), ...problems],
    sdk: read.flatMap(({ sdk }) => sdk),
  };
}

/** One hook for `hooks.on`. A slip of the program is thrown at it: nobody else could mend it. */
export function hookOn(event: string, callback: unknown, nth: number): Hook {
  const key = `on.${event}[${nth}]`;
  const { hooks, problems } = hooksOf([candidateOn(event, callback, key, nth + 1)]);
  const [fault] = problems;
  if (fault !== undefined) throw new TypeError(`hooks.on: ${problems.map(said).join('\n')}`);
  return hooks[0]!;
}
const said = ({ message, remedy }: Problem): string => sentences([message, remedy]);

interface ReadItem {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly Problem[];
  readonly sdk: readonly HooksByEvent[];
}
function readItem(item: unknown, key: string, line: number): ReadItem {
  if (typeof item !== 'object' || item === null || 'on' in item || 'run' in item)
    return { candidates: [candidateOf(item, { line }, key)], problems: [], sdk: [] };
  const byEvent = Object.entries(item as CallbacksByEvent).filter(([, value]) => value !== undefined);
  const theirs = byEvent.filter(([name]) => isHookEvent(name));
  return {
    candidates: byEvent.flatMap(([name, value]) => {
      if (!isEventName(name)) return [];
      const list: readonly unknown[] = Array.isArray(value) ? value : [value];
      return list.map((one, index) => candidateOn(name, one, `${key}.${name}[${index}]`, index + 1));
    }),
    problems: byEvent.flatMap(([name]) =>
      isEventName(name) || isHookEvent(name) ? [] : [unknown(name, key)],
    ),
    sdk: theirs.length === 0 ? [] : [Object.fromEntries(theirs)],
  };
}

/** A function is the short form of `{ run }`. */
const candidateOn = (on: string, callback: unknown, key: string, line: number): Candidate =>
  typeof callback === 'function'
    ? { export: key, fields: { line, run: callback, on } }
    : candidateOf(callback, { line }, key, { on });

/** Whatever is no object is a hook without anything: the check says what it wants. `run` may stand on a prototype. */
function candidateOf(value: unknown, below: Fields, key: string, above: Fields = {}): Candidate {
  if (typeof value !== 'object' || value === null) return { export: key, fields: { ...below, ...above } };
  const { run } = value as { run?: unknown };
  const own = typeof run === 'function' ? { run } : {};
  return { export: key, fields: { ...below, ...value, ...own, ...above }, self: value };
}

/** What is unsound stays and fails by its policy: a guard must not vanish because of a slip beside it. */
function hooksOf(candidates: readonly Candidate[]): Omit<FromProgram, 'sdk'> {
  if (candidates.length === 0) return { hooks: [], problems: [] };
  const { definitions, unsound, problems } = checkDefinitions(candidates, [], PROGRAM);
  const origin = (line = 1) => ({ layer: 'session', file: PROGRAM, line }) as const;
  const defined = definitions.map(({ export: key, definition, self }) =>
    hookFromDefinition(definition, key, origin(definition.line), {
      kind: 'call',
      direct: true,
      fn: definition.run as unknown as WayOf<'call'>['fn'],
      ...(self && { self }),
    }),
  );
  return {
    hooks: [
      ...defined.map(({ hook }) => hook),
      ...unsound.map(({ export: key, on, name, why }) =>
        missingOwnHook(on, name ?? `${PROGRAM}#${key}`, origin(), why),
      ),
    ],
    problems: [...problems, ...defined.flatMap((one) => one.problems)],
  };
}

const unknown = (name: string, key: string): Problem => ({
  code: 'unknown-event',
  file: PROGRAM,
  key: `${key}.${name}`,
  message: `unknown event ${shown(name)}.`,
  remedy: suggestion(name, [...EVENT_NAMES, ...HOOK_EVENTS]),
  severity: 'error',
});
