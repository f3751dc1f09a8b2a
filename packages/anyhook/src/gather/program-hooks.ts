/** Reads the hooks of the program itself: definitions, and functions by event. */

import {
  type DefinedHook,
  hookFromDefinition,
  missingOwnHook,
} from '../agents/anyhook/dialect/definition.ts';
import type { HooksByEvent } from '../agents/claude-agent-sdk/dialect/hook-callback.ts';
import { HOOK_EVENTS, isHookEvent } from '../agents/claude-agent-sdk/dialect/hook-event.ts';
import { shown, suggestion, typeNameOf } from '../events/checker.ts';
import type { Fields } from '../events/effects.ts';
import { EVENT_NAMES, type EventName, isEventName } from '../events/events.ts';
import type { Hook, Origin, WayOf } from '../events/hook.ts';
import { nearest, type Problem, sentences } from '../events/problems.ts';
import { type Candidate, checkDefinitions, type FoundDefinition } from '../runners/module/definitions-in.ts';
import { isDefinition } from '../runners/module/exported-from.mjs';
import type { CallbacksByEvent, ProgramHooks } from './options.ts';

const PROGRAM = '(program)';

export interface FromProgram {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
  /** Entries under event names of the Claude Agent SDK, read by that dialect. */
  readonly sdk: readonly HooksByEvent[];
}

export function programHooks(given: ProgramHooks = []): FromProgram {
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const read = new ReadHooks();
  const problems: Problem[] = [];
  const sdk: HooksByEvent[] = [];
  const lost: Hook[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const one = readItem(item, items === given ? `hooks[${index}]` : 'hooks', index + 1);
    for (const candidate of one.candidates) read.add(candidate);
    problems.push(...one.problems);
    sdk.push(...one.sdk);
    lost.push(...one.lost);
  }
  return { hooks: [...read.hooks, ...lost], problems: [...problems, ...read.problems], sdk };
}

/** Creates one hook for `hooks.on`. Throws on invalid arguments, because only the caller can fix them. */
export function hookOn(event: string, callback: unknown, nth: number): Hook {
  const key = `on.${event}[${nth}]`;
  if (Array.isArray(callback))
    throw new TypeError(
      'hooks.on: expected one function, or { match, run }. Call it once for each item of the list.',
    );
  const other = (callback as { on?: unknown } | undefined)?.on;
  if (other !== undefined && other !== event)
    throw new TypeError(
      `hooks.on: the event is ${shown(event)}, but the hook has ${shown(other)}. Remove "on" from the hook.`,
    );
  const { hooks, problems } = new ReadHooks().add(candidateOn(event, callback, key, nth + 1));
  if (problems.length > 0) throw new TypeError(`hooks.on: ${problems.map(problemText).join('\n')}`);
  return hooks[0]!;
}
const problemText = ({ message, remedy }: Problem): string => sentences([message, remedy]);

interface ReadItem {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly Problem[];
  readonly sdk: readonly HooksByEvent[];
  /** Guards that replace hooks with an unknown event. */
  readonly lost: readonly Hook[];
}
function readItem(item: unknown, key: string, line: number): ReadItem {
  if (isIterable(item)) return { candidates: [], problems: [severalIn(item, key)], sdk: [], lost: [] };
  if (typeof item !== 'object' || item === null || isDefinition(item) || 'on' in item || 'run' in item)
    return { candidates: [candidateOf(item, key, line)], problems: [], sdk: [], lost: [] };
  const byEvent = Object.entries(item as CallbacksByEvent).filter(([, value]) => value !== undefined);
  const theirs = byEvent.filter(([name]) => isHookEvent(name));
  const strays = byEvent.filter(([name]) => !isEventName(name) && !isHookEvent(name));
  return {
    candidates: byEvent.flatMap(([name, value]) => {
      if (!isEventName(name)) return [];
      const list: readonly unknown[] = Array.isArray(value) ? value : [value];
      return list.map((one, index) => candidateOn(name, one, `${key}.${name}[${index}]`, index + 1));
    }),
    problems: strays.map(([name, value]) => unknown(name, value, key)),
    sdk: theirs.length === 0 ? [] : [Object.fromEntries(theirs)],
    lost: strays.flatMap(([name, value]) => (isOfSdk(value) ? [] : lostHook(name, key))),
  };
}

/** A function is short for `{ run }`. */
const candidateOn = (on: string, callback: unknown, key: string, line: number): Candidate =>
  typeof callback === 'function'
    ? { export: key, fields: { run: callback, on }, line }
    : candidateOf(callback, key, line, { on });

/** A value that is not an object is kept in place of the function, so that the check reports it. */
function candidateOf(value: unknown, key: string, line: number, over?: Fields): Candidate {
  if (typeof value !== 'object' || value === null)
    return { export: key, fields: { run: value, ...over }, line };
  const { run } = value as { run?: unknown };
  const isWhole = over === undefined && (Object.hasOwn(value, 'run') || run === undefined);
  const fields = isWhole ? (value as Fields) : { ...value, run, ...over }; // `run` may be on a prototype
  return { export: key, fields, self: value, line };
}

/**
 * Reads hooks one at a time. Invalid hooks stay and fail by their policy, because a guard must not vanish due to an
 * invalid option. Reading one by one keeps memory low for thousands of hooks.
 */
class ReadHooks {
  readonly problems: Problem[] = [];
  readonly #sound: Hook[] = [];
  readonly #unsound: Hook[] = [];

  get hooks(): readonly Hook[] {
    return this.#unsound.length === 0 ? this.#sound : [...this.#sound, ...this.#unsound];
  }
  add(candidate: Candidate): this {
    const { definitions, unsound, problems } = checkDefinitions([candidate], [], PROGRAM);
    this.problems.push(...problems);
    for (const found of definitions) {
      const defined = hookFromFound(found);
      this.#sound.push(defined.hook);
      this.problems.push(...defined.problems);
    }
    for (const { export: key, on, name, why } of unsound)
      this.#unsound.push(missingOwnHook(on, name ?? `${PROGRAM}#${key}`, origin(), why));
    return this;
  }
}

const hookFromFound = ({ export: key, definition, self, line }: FoundDefinition): DefinedHook =>
  hookFromDefinition(definition, key, origin(definition.line ?? line), {
    kind: 'call',
    direct: true,
    fn: definition.run as unknown as WayOf<'call'>['fn'],
    ...(self && { self }),
  });

/** Hooks defined in a loop share one location. */
let last: Origin = { layer: 'session', file: PROGRAM, line: 1 };
const origin = (line = 1): Origin =>
  line === last.line ? last : (last = { layer: 'session', file: PROGRAM, line });

const unknown = (name: string, value: unknown, key: string): Problem => ({
  code: 'unknown-event',
  file: PROGRAM,
  key: `${key}.${name}`,
  message: `unknown event ${shown(name)}.`,
  // Results of `import('./hooks.mjs')` have export names as keys.
  remedy: isDefinition(value)
    ? 'It is the result of defineHook(…): pass it in a list.'
    : suggestion(name, [...EVENT_NAMES, ...HOOK_EVENTS]),
  severity: 'error',
});

/** `[{ matcher, hooks }]` is the form of the SDK. Newer SDKs use it for events that are not known here yet. */
const isOfSdk = (value: unknown): boolean =>
  [value].flat().some((one) => typeof one === 'object' && one !== null && 'hooks' in one);

/**
 * `{ tool_call: () => deny('no') }` may be a guard. The events it may cover are refused until its name is corrected.
 */
function lostHook(name: string, key: string): Hook[] {
  const sdk = nearest(name, HOOK_EVENTS);
  const other: EventName | undefined = sdk === undefined || sdk === 'PreToolUse' ? 'tool.before' : undefined;
  const event = (nearest(name, EVENT_NAMES) as EventName | undefined) ?? other;
  const detail = `unknown event ${shown(name)}`;
  return event === undefined
    ? []
    : [missingOwnHook(event, `${PROGRAM}#${key}.${name}`, origin(), { kind: 'not-loaded', detail })];
}

const isIterable = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && Symbol.iterator in item;
const severalIn = (item: unknown, key: string): Problem => ({
  code: 'wrong-type',
  file: PROGRAM,
  key,
  message: `is ${typeNameOf(item)}; expected one defineHook(…) or functions by event.`,
  remedy: 'Spread it into the list: [...hooks].',
  severity: 'error',
});
