/** Reads and checks the hooks that a module defines. Valid ones load, the others are reported. */

import type { Definition } from '../../events/define.ts';
import { EVENT_NAMES, type EventName, isEventName } from '../../events/events.ts';
import type { HookFailure } from '../../events/exchange.ts';
import { nearest, type Problem, type ProblemCode, show } from '../../events/problems.ts';
import { exportedFrom, isDefinition } from './exported-from.mjs';

export interface FoundDefinition {
  /** `default`, `default[1]` or the name of the export. */
  readonly export: string;
  readonly definition: Definition;
  /** The `this` value of `run`. */
  readonly self?: object | undefined;
  readonly line?: number | undefined;
}
/** An invalid definition, which must fail by its policy instead of disappearing. */
export interface Unsound {
  readonly export: string;
  readonly on: EventName;
  readonly name?: string;
  readonly why: HookFailure;
}
export interface Definitions {
  readonly definitions: readonly FoundDefinition[];
  readonly unsound: readonly Unsound[];
  /** Its other exports. */
  readonly others: readonly OtherExport[];
  readonly problems: readonly Problem[];
}

/** A branded export whose fields are not checked yet. */
export interface Candidate {
  readonly export: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The object with the fields, if it is in this process. */
  readonly self?: object | undefined;
  /** Its line, unless the definition contains it. */
  readonly line?: number;
  /** Fields that could not be sent from another process. */
  readonly uncopyable?: readonly string[];
}
export interface OtherExport {
  readonly export: string;
  readonly is: string;
}

export function definitionsIn(exports: unknown, file: string): Definitions {
  const candidates: Candidate[] = [];
  const others: OtherExport[] = [];
  for (const { name, value } of exportedFrom(exports))
    if (isDefinition(value)) candidates.push({ export: name, fields: value, self: value });
    else others.push({ export: name, is: typeof value });
  return checkDefinitions(candidates, others, file);
}

export function checkDefinitions(
  candidates: readonly Candidate[],
  others: readonly OtherExport[],
  file: string,
): Definitions {
  if (candidates.length === 0)
    return { definitions: [], unsound: [], others, problems: [nothingIn(others, file)] };
  const found: Found = { definitions: [], unsound: [], problems: [] };
  for (const candidate of candidates) {
    const faults = isSound(candidate) ? NONE : faultsIn(candidate, file);
    if (faults.length === 0) found.definitions.push(foundIn(candidate));
    found.unsound.push(...unsoundOf(candidate, faults));
    found.problems.push(...faults);
  }
  return { ...found, others };
}
interface Found {
  readonly definitions: FoundDefinition[];
  readonly unsound: Unsound[];
  readonly problems: Problem[];
}
const NONE: readonly Problem[] = [];

const foundIn = ({ export: name, fields, self, line }: Candidate): FoundDefinition => ({
  export: name,
  definition: fields as unknown as Definition, // checked
  self,
  line,
});

function unsoundOf({ export: name, fields }: Candidate, [first]: readonly Problem[]): Unsound[] {
  if (first === undefined || typeof fields['on'] !== 'string' || !isEventName(fields['on'])) return [];
  const why: HookFailure = { kind: 'not-loaded', detail: show(first) };
  const called = typeof fields['name'] === 'string' ? { name: fields['name'] } : {};
  return [{ export: name, on: fields['on'], ...called, why }];
}

interface Field {
  readonly is: (value: unknown) => boolean;
  readonly wants: string;
}
const text: Field = { is: (v) => typeof v === 'string' && v !== '', wants: 'a non-empty string' };
const flag: Field = { is: (v) => typeof v === 'boolean', wants: 'true or false' };
const oneOf = (...words: string[]): Field => ({
  is: (v) => typeof v === 'string' && words.includes(v),
  wants: `one of ${words.join(', ')}`,
});
const listOf = (field: Field): Field => ({
  is: (v) => Array.isArray(v) && v.length > 0 && v.every(field.is),
  wants: `a non-empty list of: ${field.wants}`,
});
const FIELDS: Readonly<Record<string, Field>> = {
  match: { is: (v) => text.is(v) || listOf(text).is(v), wants: 'a non-empty string or list of strings' },
  name: text,
  roles: listOf(oneOf('guard', 'mutator', 'observer')),
  timeoutMs: {
    is: (v) => typeof v === 'number' && Number.isFinite(v) && v > 0,
    wants: 'a number of milliseconds above 0',
  },
  onFailure: oneOf('allow', 'ask', 'block'),
  opaque: oneOf('allow', 'ask', 'block', 'run'),
  shadow: flag,
  sticky: flag,
  background: flag,
  status: text,
  run: { is: (v) => typeof v === 'function', wants: 'a function' },
};
const KEYS = ['on', ...Object.keys(FIELDS)];
/** `defineHook` adds `line`. */
const KNOWN = [...KEYS, 'line'];

/** A fast check first, because most definitions are valid and there may be thousands. */
const isSound = ({ fields, uncopyable = [] }: Candidate): boolean =>
  uncopyable.length === 0 &&
  typeof fields['on'] === 'string' &&
  isEventName(fields['on']) &&
  Object.keys(fields).every((key) => KNOWN.includes(key)) &&
  KEYS.every((key) => key === 'on' || isField(key, fields[key]));
const isField = (key: string, value: unknown): boolean =>
  value === undefined ? key !== 'run' : FIELDS[key]!.is(value);

function faultsIn({ export: name, fields, uncopyable = [], ...at }: Candidate, file: string): Problem[] {
  const place = fields['line'] ?? at.line;
  const line = typeof place === 'number' ? { line: place } : {};
  const fault = (code: ProblemCode, key: string, message: string, remedy: string): Problem => ({
    code,
    file,
    ...line,
    key: `${name}.${key}`,
    message,
    remedy,
    severity: 'error',
  });
  const faults: Problem[] = [];
  const { on } = fields;
  if (typeof on !== 'string' || !isEventName(on))
    faults.push(
      on === undefined
        ? fault('unknown-event', 'on', 'on is missing.', "Set it to an event, such as 'tool.before'.")
        : fault('unknown-event', 'on', `unknown event ${quote(on)}.`, meant(on, EVENT_NAMES)),
    );
  for (const key of Object.keys(fields).filter((word) => !KNOWN.includes(word)))
    faults.push(fault('unknown-key', key, `unknown key ${quote(key)}.`, meant(key, KEYS)));
  for (const [key, { wants }] of Object.entries(FIELDS))
    if (!isField(key, fields[key]))
      faults.push(
        fields[key] === undefined
          ? fault('wrong-type', key, `${key} is missing.`, `Expected ${wants}.`)
          : fault('wrong-type', key, `${quote(fields[key])} is not ${wants}.`, 'Correct or remove it.'),
      );
  for (const key of uncopyable)
    faults.push(
      fault('wrong-type', key, 'it cannot be copied out of an isolated module.', 'Use plain values.'),
    );
  return faults;
}

function meant(word: unknown, known: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, known) : undefined;
  return near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean '${near}'?`;
}

function nothingIn(others: readonly OtherExport[], file: string): Problem {
  const exported = others.map((other) => `${other.export} (${other.is})`).join(', ');
  return {
    code: 'not-loaded',
    file,
    message: `the module defines no hook; it exports ${exported || 'nothing'}.`,
    remedy: "Export what `defineHook({ on, run })` from 'anyhook' returns.",
    severity: 'error',
  };
}

/** Formats a value for a message, at most one line long. */
function quote(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'this list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
