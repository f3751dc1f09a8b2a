/**
 * Handles shell commands that a host sends in another form than one string: `["bash", "-lc", "ls"]`, `{
 * "action": { "command": ["ls"] } }`, `{ "commands": ["ls"] }`, `{ "command": "ls", "args": ["-l"] }`. Hooks
 * get one string, and the host gets its own form back.
 */

import type { Fields } from './effects.ts';
import type { Spelling } from './event.ts';
import { commandIn, withCommand } from './tool-words.ts';

type HostForm = NonNullable<Spelling['command']>;

export function listedCommand(
  input: Fields,
  known: ReadonlyMap<string, string>,
): { readonly spelling: HostForm; readonly rest: Fields } | undefined {
  const found = commandIn(input);
  if (found === undefined) return undefined;
  const { key, argsKey, command: text } = found;
  const { [key]: value, ...rest } = input;
  const isText = typeof value === 'string' && argsKey === undefined;
  // A second argument that also means the command stays in the input; matchers then treat the call as a
  // match.
  if (isText || Object.keys(rest).some((other) => known.get(other) === 'command')) return undefined;
  return { spelling: { key, value, text, ...(argsKey !== undefined && { argsKey }) }, rest };
}

export function withHostForm(rest: Fields, form: HostForm, text: unknown): Fields {
  const before = { ...rest, [form.key]: form.value };
  return text === form.text ? before : (withCommand(before, form, String(text)) ?? before);
}
