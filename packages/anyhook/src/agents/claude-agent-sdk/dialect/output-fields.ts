/** What a field of an answer must be. Which event reads which is in Claude Code's own table; the CLI is one and the same. */

import { claudeEvent, type OutputField } from '../../claude-code/dialect/events.ts';
import type { HookEvent } from './hook-event.ts';

/** A word for a type, or the words that are taken. */
export type FieldShape =
  | 'text'
  | 'flag'
  | 'number'
  | 'object'
  | 'texts'
  | 'anything'
  | 'permission'
  | readonly string[];
export type FieldShapes = Readonly<Record<string, FieldShape>>;

/** Fields of every answer. */
export const COMMON_OUTPUT_FIELDS: FieldShapes = {
  continue: 'flag',
  suppressOutput: 'flag',
  stopReason: 'text',
  decision: ['approve', 'block'],
  reason: 'text',
  systemMessage: 'text',
  terminalSequence: 'text',
  hookSpecificOutput: 'object',
};
export const ASYNC_FIELDS: FieldShapes = { async: 'flag', asyncTimeout: 'number' };

/** Fields of `hookSpecificOutput`, whichever event reads them. */
export const SPECIFIC_FIELDS: Readonly<Record<OutputField, FieldShape>> = {
  permissionDecision: ['allow', 'deny', 'ask', 'defer'],
  permissionDecisionReason: 'text',
  updatedInput: 'object',
  additionalContext: 'text',
  decision: 'permission',
  retry: 'flag',
  updatedToolOutput: 'anything',
  updatedMCPToolOutput: 'anything',
  classifierContext: 'text',
  sessionTitle: 'text',
  suppressOriginalPrompt: 'flag',
  initialUserMessage: 'text',
  watchPaths: 'texts',
  reloadSkills: 'flag',
  action: ['accept', 'decline', 'cancel'],
  content: 'object',
  worktreePath: 'text',
  displayContent: 'text',
};

export const fieldsOn = (event: HookEvent): FieldShapes => ({
  hookEventName: 'text',
  ...Object.fromEntries(claudeEvent(event).fields.map((field) => [field, SPECIFIC_FIELDS[field]])),
});

/** The field without which an answer to the event has no effect. */
export const REQUIRED_FIELDS: Readonly<Partial<Record<HookEvent, string>>> = {
  PermissionRequest: 'decision',
  WorktreeCreate: 'worktreePath',
};
