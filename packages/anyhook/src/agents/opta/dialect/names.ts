import type { EventName } from '../../../events/events.ts';

/** Opta's event names. `turn.done` was added after the document, `prompt.pre` and `stop` in version 4. */
export const words = {
  'session.start': ['session.start'],
  'session.end': ['session.end'],
  'session.switching': null,
  'session.switched': null,
  'session.branching': null,
  'session.branched': null,
  'session.navigating': null,
  'session.navigated': null,
  'session.error': ['error'],
  'prompt.submit': ['prompt.pre'],
  'command.before': null,
  'agent.before': null,
  'agent.start': null,
  'agent.end': null,
  'agent.idle': ['turn.done'],
  'turn.start': null,
  'turn.end': null,
  'turn.stop': ['stop'],
  'model.context': null,
  'model.system': null,
  'model.parameters': null,
  'model.small': null,
  'model.request': null,
  'model.response': null,
  'model.text': null,
  'tool.before': ['tool.pre'],
  'tool.permission': null,
  'tool.denied': null,
  'tool.after': ['tool.post'],
  'tool.failed': null, // Opta fires nothing after a tool that threw
  'tool.offered': null,
  'auth.offered': null,
  'shell.env': null,
  'file.edited': null,
  'subagent.start': null,
  'subagent.stop': null,
  'notification.sent': null,
  'config.loaded': null,
  'compaction.before': null,
  'compaction.prompt': null,
  'compaction.after': ['compact'], // after the history was replaced: section 3, in contrast to the parity table of section 5
  'compaction.continue': null,
  'autocompaction.start': null,
  'autocompaction.end': null,
  'retry.start': null,
  'retry.end': null,
  'rule.triggered': null,
  'todo.reminder': null,
  other: null,
} as const satisfies Record<EventName, readonly string[] | null>;

/** Six documented events, then `turn.done`, then two of version 4. */
export const OPTA_EVENTS = [
  'session.start',
  'session.end',
  'tool.pre',
  'tool.post',
  'compact',
  'error',
  'turn.done',
  'prompt.pre',
  'stop',
] as const;
export type OptaEvent = (typeof OPTA_EVENTS)[number];

const OURS = new Map<string, EventName>(
  (Object.entries(words) as [EventName, readonly string[] | null][]).flatMap(([ours, theirs]) =>
    (theirs ?? []).map((word) => [word, ours] as const),
  ),
);
export const eventOfOpta = (word: string): EventName | undefined => OURS.get(word);
