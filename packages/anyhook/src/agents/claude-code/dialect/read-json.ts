/** Validates an answer for an event. Wrong types invalidate it; fields of other events are reported. */

import { isPlain } from '../../../events/changes.ts';
import { shown, suggestion } from '../../../events/checker.ts';
import type { Fields } from '../../../events/effects.ts';
import type { OutputField } from './event-row.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';

export type JsonRead =
  | {
      readonly ok: true;
      readonly fields: Fields;
      readonly specific: Fields;
      /** Fields that Claude Code would silently ignore. */
      readonly strays: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

type Test = readonly [expected: string, is: (value: unknown) => boolean];
const text: Test = ['a string', (value) => typeof value === 'string'];
const flag: Test = ['true or false', (value) => typeof value === 'boolean'];
const object: Test = ['an object', isPlain];
const anything: Test = ['anything', () => true];
const texts: Test = ['a list of strings', (value) => Array.isArray(value) && value.every(text[1])];
const oneOf = (...words: readonly string[]): Test => [
  words.join(', '),
  (value) => words.includes(value as string),
];

const TOP: Readonly<Record<string, Test>> = {
  continue: flag,
  suppressOutput: flag,
  stopReason: text,
  systemMessage: text,
  terminalSequence: text,
  decision: oneOf('approve', 'block'),
  reason: text,
  hookSpecificOutput: object,
  async: flag,
  asyncTimeout: ['a number', (value) => typeof value === 'number'],
};
const FIELDS: Readonly<Record<OutputField, Test>> = {
  permissionDecision: oneOf('allow', 'deny', 'ask', 'defer'),
  permissionDecisionReason: text,
  updatedInput: object,
  additionalContext: text,
  decision: ['{ "behavior": "allow" } or { "behavior": "deny" }', isDecision],
  retry: flag,
  updatedToolOutput: anything,
  updatedMCPToolOutput: anything,
  classifierContext: text,
  sessionTitle: text,
  suppressOriginalPrompt: flag,
  initialUserMessage: text,
  watchPaths: texts,
  reloadSkills: flag,
  action: oneOf('accept', 'decline', 'cancel'),
  content: object,
  worktreePath: text,
  displayContent: text,
};

export function readJson(value: unknown, word: ClaudeWord): JsonRead {
  if (!isPlain(value)) return no(`${shown(value)} is not an answer; expected an object`);
  const fault = faultIn(value, TOP, '');
  if (fault !== undefined) return no(fault);
  const specific = value['hookSpecificOutput'];
  const outside = Object.keys(value).filter((key) => !Object.hasOwn(TOP, key) && Object.hasOwn(FIELDS, key));
  const strays = outside.map((key) => `"${key}" is outside "hookSpecificOutput"`);
  if (!isPlain(specific)) return { ok: true, fields: value, specific: {}, strays };
  const name = specific['hookEventName'];
  if (name === undefined) return no('"hookSpecificOutput" has no "hookEventName"');
  if (name !== word) return no(`"hookEventName" is ${shown(name)}, the event is ${word}`);
  const wrong = faultIn(specific, FIELDS, 'hookSpecificOutput.');
  if (wrong !== undefined) return no(wrong);
  const own: readonly string[] = claudeEvent(word).fields;
  const foreign = Object.keys(specific).filter((key) => key !== 'hookEventName' && !own.includes(key));
  return {
    ok: true,
    fields: value,
    specific: Object.fromEntries(Object.entries(specific).filter(([key]) => own.includes(key))),
    strays: [
      ...strays,
      ...foreign.map((key) => `"${key}" means nothing on ${word}. ${suggestion(key, own)}`),
    ],
  };
}

function faultIn(value: Fields, tests: Readonly<Record<string, Test>>, prefix: string): string | undefined {
  for (const [key, [expected, is]] of Object.entries(tests))
    if (Object.hasOwn(value, key) && !is(value[key]))
      return `"${prefix}${key}" is ${shown(value[key])}; expected ${expected}`;
  return undefined;
}

function isDecision(value: unknown): boolean {
  if (!isPlain(value)) return false;
  const { behavior, updatedInput, updatedPermissions, message, interrupt } = value;
  const has = (part: unknown, [, is]: Test) => part === undefined || is(part);
  if (behavior === 'deny') return has(message, text) && has(interrupt, flag);
  return behavior === 'allow' && has(updatedInput, object) && (updatedPermissions ?? []) instanceof Array;
}

const no = (why: string): JsonRead => ({ ok: false, why });
