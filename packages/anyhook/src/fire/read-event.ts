/** Reads an incoming event of an agent: its name from the command line or the payload, the rest from stdin or variables. */

import { nearOrAll, UsageError } from '../console/usage.ts';
import { DIALECTS } from '../dialects.ts';
import { isPlain } from '../events/changes.ts';
import type { Dialect } from '../events/dialect.ts';
import { parseJson } from '../events/document-parse.ts';
import type { Event } from '../events/event.ts';
import { rowOf } from '../events/events.ts';
import { hasKeysTwice } from '../events/keys-twice.ts';
import { readEventWord } from '../events/native-names.ts';
import { nearest } from '../events/problems.ts';

type Env = Readonly<Record<string, string | undefined>>;

export function eventFrom(dialect: Dialect, word: string | undefined, text: string, env: Env): Event {
  if (word !== undefined && !wordsOf(dialect).includes(word)) throw unknownEvent(dialect, word);
  const native = jsonIn(text);
  try {
    const event =
      native === undefined
        ? fromVariables(dialect, word, env)
        : dialect.payload.read(named(dialect, native, word), env);
    checkTypo(dialect, event);
    checkSubject(dialect, event);
    return event;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const nativeName = native === undefined ? undefined : nameIn(dialect, native);
    if (nativeName !== undefined && !wordsOf(dialect).includes(nativeName))
      throw unknownEvent(dialect, nativeName);
    throw new UsageError(`fire: ${(error as Error).message}`);
  }
}

const wordsOf = ({ words }: Dialect): string[] => Object.values(words).flatMap((list) => list ?? []);

function unknownEvent(dialect: Dialect, word: string): UsageError {
  const [own] = ownWordsFor(word, dialect);
  const instead = own === undefined ? nearOrAll(word, wordsOf(dialect)) : `it is ${own} there`;
  return new UsageError(`fire: ${dialect.name} has no event ${JSON.stringify(word)}; ${instead}`);
}

/** The dialect's own names for an event name of another dialect. */
function ownWordsFor(word: string, { words }: Dialect): readonly string[] {
  const read = readEventWord(word, DIALECTS);
  return read.kind === 'event' && read.event !== 'other' ? (words[read.event] ?? []) : [];
}

/**
 * An unknown event name is newer than our table and passes unchanged. It is rejected if it is a typo of a known name, or
 * another agent's name for an event of this agent: guards would not see the call.
 */
function checkTypo(dialect: Dialect, { name, payload }: Event): void {
  const word = name === 'other' ? (payload as { word?: unknown }).word : undefined;
  if (typeof word !== 'string' || wordsOf(dialect).includes(word)) return;
  if (ownWordsFor(word, dialect).length > 0) throw unknownEvent(dialect, word);
  const near = nearest(word, wordsOf(dialect));
  if (near !== undefined && Math.abs(near.length - word.length) <= 2) throw unknownEvent(dialect, word);
}

/** Rejects a call without a tool name, as sent by an agent that renamed the field: no guard could match it. */
function checkSubject({ name: dialect }: Dialect, { name, payload }: Event): void {
  const { tool } = payload as { tool?: unknown };
  if (rowOf(name).subject !== 'tool' || (typeof tool === 'string' && tool !== '')) return;
  throw new UsageError(`fire: the event of ${dialect} names no tool`);
}

function jsonIn(stdin: string): object | undefined {
  if (stdin.trim() === '') return undefined;
  const text = stdin.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`fire: standard input is not valid JSON: ${(error as Error).message}`);
  }
  if (hasKeysTwice(text, value)) checkReadings(text, value);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UsageError('fire: a JSON object is expected on standard input');
}

/** Rejects JSON whose duplicate keys change the event, by comparing first and last values. Harmless duplicates pass. */
function checkReadings(text: string, byLast: unknown): void {
  let fault: string;
  try {
    const { value: byFirst, duplicates } = parseJson(text);
    if (JSON.stringify(byFirst) === JSON.stringify(byLast)) return;
    fault = duplicates[0]!.message;
  } catch (error) {
    fault = (error as Error).message;
  }
  throw new UsageError(`fire: standard input is ambiguous: ${fault}`);
}

/** Where dialects put an event's name, unless they set `payload.nameKey`. `type` and `name` are also ordinary keys. */
const KEYS = ['event', 'hook_event_name'] as const;

const keysOf = ({ payload: { nameKey } }: Dialect): readonly string[] =>
  nameKey === undefined ? KEYS : [...KEYS, nameKey];

const nameIn = (dialect: Dialect, native: object): string | undefined =>
  keysOf(dialect)
    .map((key) => (native as Record<string, unknown>)[key])
    .find((value) => typeof value === 'string');

/** An event without a name is rejected: answering it would let everything pass. */
function named(dialect: Dialect, native: object, word: string | undefined): object {
  const { nameKey } = dialect.payload;
  if (word !== undefined)
    return { ...native, [nameKey ?? (/^[A-Z]/.test(word) ? 'hook_event_name' : 'event')]: word };
  if (keysOf(dialect).some((key) => isName((native as Record<string, unknown>)[key]))) return native;
  throw new UsageError('fire: the event is missing. Add its name, or put it into the payload');
}

/** A string, or the event object of OpenCode's bus, whose type is its name. */
const isName = (value: unknown): boolean =>
  isPlain(value) ? isName(value['type']) : typeof value === 'string' && value !== '';

/** Reads the event from variables when stdin is empty, for dialects that use the environment. */
function fromVariables(dialect: Dialect, word: string | undefined, env: Env): Event {
  const variable = `${dialect.name.toUpperCase().replaceAll('-', '_')}_EVENT`;
  if (word === undefined && env[variable] === undefined)
    throw new UsageError('fire: standard input is empty and no event is named');
  const variables = word === undefined ? env : { ...env, [variable]: word };
  try {
    const event = dialect.payload.read(undefined, variables);
    if (event.name !== 'other') return event;
  } catch (error) {
    if (word === undefined) throw env[variable] === undefined ? error : unknownEvent(dialect, env[variable]);
    // the dialect does not use the environment
  }
  const event = dialect.payload.read(named(dialect, {}, word), variables);
  if (rowOf(event.name).subject === 'tool')
    throw new UsageError(`fire: standard input is empty, where ${dialect.name} sends the call to judge`);
  return event;
}
