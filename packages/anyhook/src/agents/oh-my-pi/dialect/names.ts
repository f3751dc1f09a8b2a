import type { EventName } from '../../../events/events.ts';

/**
 * The event names of pi and oh-my-pi. `tool_result` and `tool_execution_end` are one name for two events of ours,
 * distinguished by `isError`. `input` and `tool_execution_*` are sent to extensions only. `tool_execution_update` has
 * no counterpart: other agents do not report the output of a tool that is still running.
 */
export const words = {
  'session.start': ['session_start'],
  'session.end': ['session_shutdown'],
  'session.switching': ['session_before_switch'],
  'session.switched': ['session_switch'],
  'session.branching': ['session_before_branch'],
  'session.branched': ['session_branch'],
  'session.navigating': ['session_before_tree'],
  'session.navigated': ['session_tree'],
  'session.error': null,
  'prompt.submit': ['input'],
  'command.before': null,
  'agent.before': ['before_agent_start'],
  'agent.start': ['agent_start'],
  'agent.end': ['agent_end'],
  'agent.idle': null,
  'turn.start': ['turn_start'],
  'turn.end': ['turn_end'],
  'turn.stop': null, // `session_stop` is sent to extensions only
  'model.context': ['context'],
  'model.system': null,
  'model.parameters': null,
  'model.small': null,
  'model.request': null,
  'model.response': null,
  'model.text': null,
  'tool.before': ['tool_call', 'tool_execution_start'],
  'tool.permission': null,
  'tool.denied': null, // a blocked call has no result
  'tool.after': ['tool_result', 'tool_execution_end'],
  'tool.failed': ['tool_result', 'tool_execution_end'],
  'tool.offered': null,
  'auth.offered': null,
  'shell.env': null,
  'file.edited': null,
  'subagent.start': null,
  'subagent.stop': null,
  'notification.sent': null,
  'config.loaded': null,
  'compaction.before': ['session_before_compact'],
  'compaction.prompt': ['session.compacting'],
  'compaction.after': ['session_compact'],
  'compaction.continue': null,
  'autocompaction.start': ['auto_compaction_start'],
  'autocompaction.end': ['auto_compaction_end'],
  'retry.start': ['auto_retry_start'],
  'retry.end': ['auto_retry_end'],
  'rule.triggered': ['ttsr_triggered'],
  'todo.reminder': ['todo_reminder'],
  other: null,
} as const satisfies Record<EventName, readonly string[] | null>;

type WordList = (typeof words)[EventName];
export type OmpEvent = NonNullable<WordList>[number];
/** Our events with a name there. */
export type PiEventName = { [E in EventName]: (typeof words)[E] extends null ? never : E }[EventName];

const OURS = new Map<string, PiEventName>(
  (Object.entries(words) as [PiEventName, readonly string[] | null][])
    .reverse() // if two events share a name, the first is the default
    .flatMap(([ours, theirs]) => (theirs ?? []).map((word) => [word, ours] as const)),
);
export const eventOfPi = (word: string): PiEventName | undefined => OURS.get(word);
/** Handlers of these events are notified; their return values are ignored. */
export const isToolObserver = (word: string): boolean => word.startsWith('tool_execution_');
export const OMP_EVENTS = [
  ...new Set(Object.values(words).flatMap((list) => list ?? [])),
] as readonly OmpEvent[];
