/** Helpers for reading unknown tools: names in any spelling, commands in any form. */

import { isPlain } from './changes.ts';
import type { Fields } from './effects.ts';

/** Makes `filePath`, `file_path` and `FILE-PATH` equal. */
export const plainKey = (key: string): string => key.replaceAll(/[-_.\s]/g, '').toLowerCase();

/** `runTerminalCmd` → run, terminal, cmd. */
export function wordsIn(tool: string): readonly string[] {
  return tool
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/**
 * Returns the first key of the input with one of these names, in any spelling, whose value passes the test.
 */
export function keyIn(
  input: Fields,
  names: ReadonlySet<string>,
  isWanted: (value: unknown) => boolean = isText,
): string | undefined {
  return Object.keys(input).find((key) => names.has(plainKey(key)) && isWanted(input[key]));
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isText);

export const COMMAND_KEYS: ReadonlySet<string> = new Set(
  'command cmd script commands cmds shellcommand commandline cmdline bashcommand terminalcommand commandstring commandtext shellscript bashscript commandtorun execcommand'.split(
    ' ',
  ),
);
const ARGUMENT_KEYS: ReadonlySet<string> = new Set('args argv arguments params parameters'.split(' '));

/** A shell command found in the arguments of a call, as one string. */
export interface FoundCommand {
  readonly key: string;
  readonly command: string;
  /** The key with the command's arguments, if they are separate. */
  readonly argsKey?: string;
}

/**
 * Also accepts a list of words (`["bash", "-lc", "ls"]`), a list of commands, and an object with a command
 * (`action.command`).
 */
export function commandIn(input: Fields): FoundCommand | undefined {
  for (const [key, value] of Object.entries(input)) {
    if (!COMMAND_KEYS.has(plainKey(key))) continue;
    const text = commandText(key, value);
    if (text === undefined) continue;
    const argsKey = isText(value) ? keyIn(input, ARGUMENT_KEYS, isTexts) : undefined;
    if (argsKey === undefined) return { key, command: text };
    const args = (input[argsKey] as readonly string[]).map(quotedWord);
    return { key, command: [text, ...args].join(' '), argsKey };
  }
  for (const [key, value] of Object.entries(input)) {
    const inner = isPlain(value) ? commandIn(withoutObjects(value)) : undefined;
    if (inner !== undefined) return { key, command: inner.command };
  }
  return undefined;
}

const withoutObjects = (input: Fields): Fields =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => !isPlain(value)));

function commandText(key: string, value: unknown): string | undefined {
  if (isText(value)) return value;
  if (!isTexts(value)) return undefined;
  if (plainKey(key).endsWith('s') || value.length === 1) return value.join('\n');
  const [program = '', option = '', script = ''] = value;
  if (value.length === 3 && /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(program) && /^-l?c$/.test(option))
    return script;
  return value.map(quotedWord).join(' ');
}

/** Returns the arguments with another command, or null if they cannot hold one string. */
export function withCommand(
  input: Fields,
  { key, argsKey }: Omit<FoundCommand, 'command'>,
  command: string,
): Fields | null {
  // Program and arguments are separate, but the new text may be several commands.
  if (argsKey !== undefined) return { ...input, [key]: 'sh', [argsKey]: ['-c', command] };
  const value = input[key];
  if (isText(value)) return { ...input, [key]: command };
  if (isTexts(value))
    return { ...input, [key]: plainKey(key).endsWith('s') ? [command] : ['sh', '-c', command] };
  const inner = isPlain(value) ? commandIn(withoutObjects(value)) : undefined;
  if (inner === undefined) return null;
  return { ...input, [key]: withCommand(value as Fields, inner, command) };
}

export const quotedWord = (word: unknown): string =>
  /^[\w./:=@%+,-]+$/.test(String(word)) ? String(word) : `'${String(word).replaceAll("'", `'\\''`)}'`;
