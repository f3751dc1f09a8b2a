/** Names of one field in different Goose versions, the documented one first. All are sent, and any is read. */

import type { Fields } from '../../../events/effects.ts';

const BEFORE = ['pre_compact_message_count', 'message_count_before', 'message_count', 'before_count'];
const AFTER = ['post_compact_message_count', 'message_count_after', 'after_count'];
const MANUAL = ['manual_compact', 'manual'];
const LAST = ['last_assistant_text', 'last_assistant_message'];

const EVERYWHERE = [
  ['hook_event_name', 'event'],
  ['cwd', 'working_dir'],
];
const OF: Readonly<Record<string, readonly (readonly string[])[]>> = {
  UserPromptSubmit: [['user_prompt', 'prompt', 'message']],
  PreCompact: [BEFORE, MANUAL],
  PostCompact: [BEFORE, AFTER, MANUAL],
  Stop: [LAST],
  SubagentStop: [LAST],
};
const groupsFor = (word: string) => [...EVERYWHERE, ...(Object.hasOwn(OF, word) ? OF[word]! : [])];

/** Keeps existing fields and appends the missing names. */
export function withAliases(fields: Fields, word: string): Fields {
  const all: Record<string, unknown> = { ...fields };
  for (const names of groupsFor(word)) {
    const known = names.find((name) => all[name] !== undefined);
    if (known !== undefined) for (const name of names) all[name] ??= all[known];
  }
  return all;
}

export const wordIn = (native: Fields): string | undefined =>
  [native['hook_event_name'], native['event']].find((word) => typeof word === 'string');

/** Returns the field of this documented name under any of its names. */
export function field(native: Fields, name: string, word: string): unknown {
  const names = groupsFor(word).find((group) => group[0] === name) ?? [name];
  return names.map((one) => native[one]).find((value) => value !== undefined && value !== null);
}
