import type { EventName } from '../../../events/events.ts';

/**
 * Goose's event names: eight from the document, further ones in its code, and those of current Goose. If one event of
 * ours has several, the blocking one comes first.
 */
export const words = {
  'session.start': ['SessionStart'],
  'session.end': ['SessionEnd'],
  'session.switching': null,
  'session.switched': null,
  'session.branching': null,
  'session.branched': null,
  'session.navigating': null,
  'session.navigated': null,
  'session.error': null,
  'prompt.submit': ['UserPromptSubmit'],
  'command.before': null,
  'agent.before': null,
  'agent.start': null,
  'agent.end': null,
  'agent.idle': null,
  'turn.start': null,
  'turn.end': null,
  'turn.stop': ['Stop'],
  'model.context': null,
  'model.system': null,
  'model.parameters': null,
  'model.small': null,
  'model.request': null,
  'model.response': null,
  'model.text': null,
  'tool.before': ['PreToolUse', 'BeforeShellExecution', 'BeforeReadFile'],
  'tool.permission': ['PermissionRequest'],
  'tool.denied': ['PreToolUseResult'], // Goose also sends it for allowed calls
  'tool.after': ['PostToolUse', 'AfterShellExecution'],
  'tool.failed': ['PostToolUseFailure'],
  'tool.offered': null,
  'auth.offered': null,
  'shell.env': null,
  'file.edited': ['AfterFileEdit'],
  'subagent.start': ['SubagentStart'],
  'subagent.stop': ['SubagentStop'],
  'notification.sent': ['Notification'],
  'config.loaded': ['ConfigChange'],
  'compaction.before': ['PreCompact'],
  'compaction.prompt': null,
  'compaction.after': ['PostCompact'],
  'compaction.continue': null,
  'autocompaction.start': null,
  'autocompaction.end': null,
  'retry.start': null,
  'retry.end': null,
  'rule.triggered': null,
  'todo.reminder': null,
  other: ['TeammateIdle', 'TaskCompleted', 'ContextFill'],
} as const satisfies Record<EventName, readonly string[] | null>;

type Words = (typeof words)[keyof typeof words];
export type GooseWord = NonNullable<Words>[number];

const OURS = new Map<string, EventName>(
  (Object.entries(words) as [EventName, readonly string[] | null][]).flatMap(([ours, theirs]) =>
    (theirs ?? []).map((word) => [word, ours] as const),
  ),
);
export const eventOfGoose = (word: string): EventName | undefined => OURS.get(word);
export const isGooseEvent = (word: string): word is GooseWord => OURS.has(word);
/** In the order of the document, then those declared in code. */
export const GOOSE_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PreCompact',
  'PostCompact',
  'Stop',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'Notification',
  'PermissionRequest',
  'TeammateIdle',
  'TaskCompleted',
  'ConfigChange',
  'ContextFill',
  'PreToolUseResult',
  'BeforeReadFile',
  'AfterFileEdit',
  'BeforeShellExecution',
  'AfterShellExecution',
] as const satisfies readonly GooseWord[];

/** Exit 2 and `decision: block` work here. Finished actions and the start of a session cannot be blocked. */
export const BLOCKABLE: ReadonlySet<string> = new Set<GooseWord>([
  'UserPromptSubmit',
  'PreToolUse',
  'PreCompact',
  'Stop',
  'SubagentStop',
  'PermissionRequest',
  'TeammateIdle',
  'TaskCompleted',
  'ConfigChange',
]);
