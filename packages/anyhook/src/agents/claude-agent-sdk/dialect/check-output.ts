/** Validates an answer before it is used, because a misread guard protects nothing. */

import { shown } from '../../../events/checker.ts';
import { isFields } from '../../../events/fields.ts';
import { nearest } from '../../../events/problems.ts';
import type { HookEvent } from './hook-event.ts';
import type { HookJSONOutput } from './hook-output.ts';
import {
  ASYNC_FIELDS,
  COMMON_OUTPUT_FIELDS,
  fieldsOn,
  type FieldShape,
  type FieldShapes,
  REQUIRED_FIELDS,
  SPECIFIC_FIELDS,
} from './output-fields.ts';

export type CheckedOutput =
  | { readonly ok: true; readonly output: HookJSONOutput; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly field: string; readonly message: string };

type Loose = Readonly<Record<string, unknown>>;
interface Fault {
  readonly field: string;
  readonly message: string;
}

/**
 * Returns a copy of the validated values. Unknown fields are accepted, because the CLI may be newer than this table,
 * unless they are misspelt or misplaced.
 */
export function checkOutput(event: HookEvent, answer: unknown): CheckedOutput {
  const copy = plainCopy(answer);
  if ('message' in copy) return { ok: false, field: 'output', message: copy.message };
  const document = renamed(copy.value);
  const isAsync = document['async'] === true;
  const fields = isAsync ? ASYNC_FIELDS : FIELDS_AT_THE_TOP;
  const unknown: string[] = [];
  const fault =
    faultIn(document, fields, '', unknown) ??
    (isAsync ? null : specificFault(event, document['hookSpecificOutput'], unknown));
  if (fault !== null) return { ok: false, ...fault };
  return { ok: true, output: document as HookJSONOutput, unknown }; // every known field was validated above
}

const FIELDS_AT_THE_TOP: FieldShapes = { ...COMMON_OUTPUT_FIELDS, ...ASYNC_FIELDS };

/** A missing value is not an answer, as in the real CLI: a guard that forgot to return has not decided. */
function plainCopy(answer: unknown): { readonly value: Loose } | { readonly message: string } {
  try {
    const text = JSON.stringify(answer);
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isFields(value) && tagOf(answer) === '[object Object]') return { value };
    return { message: `the answer is ${shown(value)}; expected an object, {} for no decision` };
  } catch (error) {
    return { message: `the answer cannot be written as JSON: ${(error as Error).message}` };
  }
}

/** Python cannot use the names `async` and `continue`; its spelling is accepted too. */
const PYTHONS: Readonly<Record<string, string>> = { async_: 'async', continue_: 'continue' };
const renamed = (reply: Loose): Loose =>
  'async_' in reply || 'continue_' in reply
    ? Object.fromEntries(
        Object.entries(reply).map(([key, value]) => [
          Object.hasOwn(PYTHONS, key) ? PYTHONS[key] : key,
          value,
        ]),
      )
    : reply;

function specificFault(event: HookEvent, specific: unknown, unknown: string[]): Fault | null {
  if (specific === undefined) return null;
  const own = specific as Loose; // the common fields were validated
  const at = 'hookSpecificOutput.';
  if (own['hookEventName'] !== event)
    return {
      field: `${at}hookEventName`,
      message: `${at}hookEventName is ${shown(own['hookEventName'])}; it must be "${event}" here`,
    };
  const needed = REQUIRED_FIELDS[event];
  if (needed !== undefined && own[needed] === undefined)
    return { field: at + needed, message: `${at}${needed} is missing; ${event} needs it` };
  return faultIn(own, fieldsOn(event), at, unknown);
}

function faultIn(reply: Loose, fields: FieldShapes, at: string, unknown: string[]): Fault | null {
  for (const [key, value] of Object.entries(reply)) {
    const shape = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const why = shape === undefined ? misplaced(key, fields, at) : wrong(shape, value);
    if (why !== null) return { field: at + key, message: `${at}${key} ${why}` };
    if (shape === undefined) unknown.push(at + key);
  }
  return null;
}

const isSpecific = (key: string) => key === 'hookEventName' || Object.hasOwn(SPECIFIC_FIELDS, key);

function misplaced(key: string, fields: FieldShapes, at: string): string | null {
  if (at === '' && Object.hasOwn(COMMON_OUTPUT_FIELDS, key)) return 'cannot be combined with async: true';
  if (at === '' && isSpecific(key)) return 'belongs under hookSpecificOutput';
  if (Object.hasOwn(COMMON_OUTPUT_FIELDS, key)) return 'belongs at the top level of the answer';
  if (isSpecific(key)) return 'only applies to another event';
  const near = nearest(key, Object.keys(fields));
  return near === undefined ? null : `is unknown; did you mean ${at}${near}?`;
}

const CHECKS: Readonly<Record<Extract<FieldShape, string>, (value: unknown) => string | null>> = {
  text: (value) => (typeof value === 'string' ? null : `is ${shown(value)}; expected a string`),
  flag: (value) => (typeof value === 'boolean' ? null : `is ${shown(value)}; expected true or false`),
  number: (value) => (typeof value === 'number' ? null : `is ${shown(value)}; expected a number`),
  object: (value) => (isFields(value) ? null : `is ${shown(value)}; expected an object`),
  texts: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string')
      ? null
      : `is ${shown(value)}; expected a list of strings`,
  anything: () => null,
  permission: permissionFault,
};

function wrong(shape: FieldShape, value: unknown): string | null {
  if (typeof shape === 'string') return CHECKS[shape](value);
  if (typeof value === 'string' && shape.includes(value)) return null;
  const near = typeof value === 'string' ? nearest(value, shape) : undefined;
  return `is ${shown(value)}; ${near === undefined ? `known are ${shape.join(', ')}` : `did you mean "${near}"?`}`;
}

const BEHAVIORS: Readonly<Record<string, FieldShapes>> = {
  allow: { behavior: 'text', updatedInput: 'object', updatedPermissions: 'anything' },
  deny: { behavior: 'text', message: 'text', interrupt: 'flag' },
};

function permissionFault(value: unknown): string | null {
  if (!isFields(value)) return `is ${shown(value)}; expected { behavior: "allow" | "deny" }`;
  const behavior = String(value['behavior']);
  if (!Object.hasOwn(BEHAVIORS, behavior))
    return `has unknown behavior ${shown(value['behavior'])}; known are allow, deny`;
  const fault = faultIn(value, BEHAVIORS[behavior]!, 'decision.', []);
  return fault === null ? null : `is invalid: ${fault.message}`;
}

/** A map or a promise would be serialised as `{}`, which is no decision. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value);
