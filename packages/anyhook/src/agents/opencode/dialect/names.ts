import type { EventName } from '../../../events/events.ts';

/**
 * Everything that a plugin can listen to. `event:<type>` is the plugin's `event` hook with that bus event.
 * `file_edited` and `session_completed` are the command hooks of `opencode.json`. One bus event can be several events
 * of ours, distinguished by its properties.
 */
export const words = {
  'session.start': ['event:session.created'],
  'session.end': ['dispose'],
  'session.switching': null,
  'session.switched': null,
  'session.branching': null,
  'session.branched': null,
  'session.navigating': null,
  'session.navigated': null,
  'session.error': ['event:session.error'],
  'prompt.submit': ['chat.message'],
  'command.before': ['command.execute.before'],
  'agent.before': ['event:message.updated', 'event:message.part.updated'],
  'agent.start': ['event:session.status'],
  'agent.end': null, // `session.idle` fires when nothing more will happen automatically
  'agent.idle': ['event:session.status', 'event:session.idle', 'session_completed'],
  'turn.start': null,
  'turn.end': ['event:message.updated'],
  'turn.stop': null, // nothing there can keep the agent working
  'model.context': ['experimental.chat.messages.transform'],
  'model.system': ['experimental.chat.system.transform'],
  'model.parameters': ['chat.params', 'chat.headers'],
  'model.small': ['experimental.provider.small_model'],
  'model.request': null, // HTTP is handled by middleware and by the `fetch` of an auth loader
  'model.response': null,
  'model.text': ['experimental.text.complete', 'event:message.part.updated'],
  'tool.before': ['tool.execute.before'],
  'tool.permission': ['permission.ask', 'event:permission.asked'],
  'tool.denied': ['event:permission.replied'],
  'tool.after': ['tool.execute.after', 'event:message.part.updated', 'event:todo.updated'],
  'tool.failed': ['event:message.part.updated'],
  'tool.offered': ['tool.definition'],
  'auth.offered': null, // `auth` is an offer of a plugin, not a hook
  'shell.env': ['shell.env'],
  'file.edited': ['event:file.edited', 'file_edited'],
  'subagent.start': ['event:session.created'],
  'subagent.stop': ['event:session.idle'],
  'notification.sent': ['event:tui.toast.show'],
  'config.loaded': ['config'],
  'compaction.before': null,
  'compaction.prompt': ['experimental.session.compacting'],
  'compaction.after': ['event:session.compacted'],
  'compaction.continue': ['experimental.compaction.autocontinue'],
  'autocompaction.start': null,
  'autocompaction.end': null,
  'retry.start': ['event:session.status'],
  'retry.end': null,
  'rule.triggered': null,
  'todo.reminder': null,
  other: ['event'], // every other event of the bus
} as const satisfies Record<EventName, readonly string[] | null>;

type WordList = (typeof words)[EventName];
export type OpencodeWord = NonNullable<WordList>[number];
export type BusWord = Extract<OpencodeWord, `event:${string}`>;
export type ConfigWord = 'file_edited' | 'session_completed';
/** Names of functions with an input and usually an output. */
export type CallWord = Exclude<OpencodeWord, BusWord | ConfigWord | 'event'>;

export const OPENCODE_WORDS = [
  ...new Set(Object.values(words).flatMap((list) => list ?? [])),
] as readonly OpencodeWord[];
/** Everything that one `event` hook listens to. */
export const EVENT_WORDS = OPENCODE_WORDS.filter((word) => isEventWord(word));
export const CONFIG_WORDS = ['file_edited', 'session_completed'] as const satisfies readonly ConfigWord[];

export const isWord = (word: string): word is OpencodeWord =>
  (OPENCODE_WORDS as readonly string[]).includes(word);
export const isConfigWord = (word: string): word is ConfigWord =>
  (CONFIG_WORDS as readonly string[]).includes(word);
export function isEventWord(word: string): boolean {
  return word === 'event' || word.startsWith('event:');
}

const OURS = new Map<string, EventName>(
  (Object.entries(words) as [EventName, readonly string[] | null][])
    .reverse() // if two events share a name, the first is the default
    .flatMap(([ours, theirs]) => (theirs ?? []).map((word) => [word, ours] as const)),
);
/** Our event for a native name; the default if there are several. */
export const eventOfOpenCode = (word: string): EventName | undefined => OURS.get(word);
