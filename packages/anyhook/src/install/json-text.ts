/** Edits another program's JSON file. Comments, order, indentation, line ends and a BOM are preserved. */

import { isDeepStrictEqual } from 'node:util';
import { parse, type ParseError } from 'jsonc-parser';
import { readDocument } from '../events/document.ts';
import { isFields } from '../events/fields.ts';
import { editedJson } from './json-edit.ts';

export class Unreadable extends Error {}

type Fields = Record<string, unknown>;
const BOM = '\uFEFF';

/** Parses a file or throws why it must not be edited. A blank file is an empty object. */
export function parsedFields(text: string, file: string): Fields {
  if (text.replace(BOM, '').trim() === '') return {};
  const { value, problems } = readDocument(text, file);
  const [problem] = problems;
  if (value === undefined)
    throw new Unreadable(
      `${file}${problem?.line === undefined ? '' : `:${problem.line}`} ${problem?.message ?? 'cannot be read.'}`,
    );
  if (!isFields(value)) throw new Unreadable(`${file} is not a JSON object.`);
  const { hooks } = value;
  if (hooks !== undefined && !isFields(hooks)) throw new Unreadable(`${file}: "hooks" is not an object.`);
  for (const [word, groups] of Object.entries(hooks ?? {}))
    if (!Array.isArray(groups)) throw new Unreadable(`${file}: "hooks.${word}" is not a list.`);
  return value;
}

export interface EditedText {
  readonly text: string;
  /** Containers that did not exist before: `hooks`, `hooks.PreToolUse`. */
  readonly made: readonly string[];
}

/** Whether each entry is already an item of its list. */
export function hasEntries(text: string, entries: Readonly<Record<string, object>>, file: string): boolean {
  const hooks = (parsedFields(text, file)['hooks'] ?? {}) as Record<string, unknown[]>;
  return Object.entries(entries).every(([word, entry]) =>
    (hooks[word] ?? []).some((one) => isDeepStrictEqual(one, entry)),
  );
}

/** Adds one item to each of the lists under `hooks`. */
export function withEntries(
  text: string,
  entries: Readonly<Record<string, object>>,
  file: string,
  beside: Fields = {},
): EditedText {
  const was = parsedFields(text, file);
  for (const [key, wanted] of Object.entries(beside))
    if (was[key] !== undefined && !isDeepStrictEqual(was[key], wanted))
      throw new Unreadable(
        `${file} says "${key}": ${JSON.stringify(was[key])}, and what we write is for ${JSON.stringify(wanted)}; it is left as it is.`,
      );
  const missing = Object.keys(beside).filter((key) => was[key] === undefined);
  const before = { ...was, ...Object.fromEntries(missing.map((key) => [key, beside[key]])) };
  const hooks = (before['hooks'] ?? {}) as Record<string, unknown[]>;
  const made = [
    ...missing,
    ...(before['hooks'] === undefined ? ['hooks'] : []),
    ...Object.keys(entries)
      .filter((word) => hooks[word] === undefined)
      .map((word) => `hooks.${word}`),
  ];
  let after = missing.reduce((so, key) => editedJson(so, [key], beside[key]), text);
  let there = { ...hooks };
  for (const [word, entry] of Object.entries(entries)) {
    const list = there[word];
    after =
      list === undefined
        ? editedJson(after, ['hooks', word], [entry])
        : editedJson(after, ['hooks', word, list.length], entry);
    there = { ...there, [word]: [...(list ?? []), entry] };
  }
  return { text: proven(after, { ...before, hooks: there }, file), made };
}

/** Removes the handlers that `isOurs` accepts, and lists and objects created for them once empty. */
export function withoutEntries(
  text: string,
  isOurs: (handler: Fields) => boolean,
  made: readonly string[],
  file: string,
): string {
  const before = parsedFields(text, file);
  const hooks = (before['hooks'] ?? {}) as Record<string, unknown[]>;
  let after = text;
  const left: Record<string, unknown[]> = {};
  for (const [word, groups] of Object.entries(hooks)) {
    const remaining: unknown[] = [];
    // From the end, so that earlier indexes stay valid.
    for (let i = groups.length - 1; i >= 0; i--) {
      const group = groups[i];
      if (isFields(group) && isOurs(group)) {
        after = editedJson(after, ['hooks', word, i], undefined);
        continue;
      }
      const handlers = isFields(group) && Array.isArray(group['hooks']) ? group['hooks'] : [];
      const rest = handlers.filter((handler) => !(isFields(handler) && isOurs(handler)));
      if (rest.length === handlers.length) remaining.unshift(group);
      else if (rest.length === 0) after = editedJson(after, ['hooks', word, i], undefined);
      else {
        for (let k = handlers.length - 1; k >= 0; k--)
          if (!rest.includes(handlers[k]))
            after = editedJson(after, ['hooks', word, i, 'hooks', k], undefined);
        remaining.unshift({ ...(group as Fields), hooks: rest });
      }
    }
    if (remaining.length > 0 || groups.length === 0 || !made.includes(`hooks.${word}`))
      left[word] = remaining;
    else after = editedJson(after, ['hooks', word], undefined);
  }
  const isGone = Object.keys(left).length === 0 && made.includes('hooks') && before['hooks'] !== undefined;
  if (isGone) after = editedJson(after, ['hooks'], undefined);
  const { hooks: _, ...others } = before;
  // Keys added beside them are removed too, unless other hooks need them.
  for (const key of isGone ? Object.keys(others).filter((name) => made.includes(name)) : []) {
    after = editedJson(after, [key], undefined);
    delete others[key];
  }
  const expected = isGone || before['hooks'] === undefined ? others : { ...before, hooks: left };
  return proven(after, expected, file);
}

/** Returns the text only if it parses to exactly the expected value. */
export function proven(text: string, expected: Fields, file: string): string {
  const faults: ParseError[] = [];
  const parsed: unknown = parse(text.replace(BOM, '').trim() === '' ? '{}' : text.replace(BOM, ''), faults, {
    allowTrailingComma: true,
  });
  if (faults.length > 0 || !isDeepStrictEqual(parsed, expected))
    throw new Unreadable(`${file} is written in a way that cannot be edited safely; it is left as it is.`);
  return text;
}
