import type { ClaudeWord } from '../../claude-code/dialect/events.ts';

/** All events for callbacks: the six of the Go plan first, then later ones. */
export const HookEvent = {
  PreToolUse: 'PreToolUse',
  PostToolUse: 'PostToolUse',
  UserPromptSubmit: 'UserPromptSubmit',
  Stop: 'Stop',
  SubagentStop: 'SubagentStop',
  PreCompact: 'PreCompact',
  PostToolUseFailure: 'PostToolUseFailure',
  PostToolBatch: 'PostToolBatch',
  Notification: 'Notification',
  UserPromptExpansion: 'UserPromptExpansion',
  SessionStart: 'SessionStart',
  SessionEnd: 'SessionEnd',
  StopFailure: 'StopFailure',
  SubagentStart: 'SubagentStart',
  PostCompact: 'PostCompact',
  PreModelSwitch: 'PreModelSwitch',
  PostModelSwitch: 'PostModelSwitch',
  PermissionRequest: 'PermissionRequest',
  PermissionDenied: 'PermissionDenied',
  Setup: 'Setup',
  TeammateIdle: 'TeammateIdle',
  TaskCreated: 'TaskCreated',
  TaskCompleted: 'TaskCompleted',
  Elicitation: 'Elicitation',
  ElicitationResult: 'ElicitationResult',
  ConfigChange: 'ConfigChange',
  WorktreeCreate: 'WorktreeCreate',
  WorktreeRemove: 'WorktreeRemove',
  InstructionsLoaded: 'InstructionsLoaded',
  CwdChanged: 'CwdChanged',
  FileChanged: 'FileChanged',
  DirectoryAdded: 'DirectoryAdded',
  MessageDisplay: 'MessageDisplay',
} as const satisfies { readonly [W in ClaudeWord]: W };
export type HookEvent = (typeof HookEvent)[keyof typeof HookEvent];

export const HOOK_EVENTS: readonly HookEvent[] = Object.values(HookEvent);
export const isHookEvent = (word: string): word is HookEvent => Object.hasOwn(HookEvent, word);
