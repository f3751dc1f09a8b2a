/** Compares the event table with the documentation: handler types, matcher fields and the effect of exit 2. */

import { describe, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../../events/events.ts';
import { CLAUDE_EVENTS, type ClaudeWord, claudeEvent } from './events.ts';
import { words } from './names.ts';

const [A, B, C] = ['command http mcp_tool prompt agent', 'command http mcp_tool', 'command mcp_tool'];

/** Event, matcher field, handler types, effect of exit 2. */
const PAGES: readonly (readonly [ClaudeWord, string | null, string | undefined, string])[] = [
  ['SessionStart', 'source', C, 'tell-person'],
  ['Setup', 'trigger', C, 'tell-person'],
  ['UserPromptSubmit', null, A, 'deny'],
  ['UserPromptExpansion', 'command_name', A, 'deny'],
  ['PreToolUse', 'tool_name', A, 'deny'],
  ['PermissionRequest', 'tool_name', 'command http mcp_tool prompt', 'nothing'],
  ['PermissionDenied', 'tool_name', A, 'nothing'],
  ['PostToolUse', 'tool_name', A, 'tell-model'],
  ['PostToolUseFailure', 'tool_name', A, 'tell-model'],
  ['PostToolBatch', null, A, 'halt'],
  ['Notification', 'notification_type', B, 'nothing'],
  ['MessageDisplay', null, B, 'nothing'],
  ['SubagentStart', 'agent_type', B, 'tell-person'],
  ['SubagentStop', 'agent_type', A, 'resume'],
  ['TaskCreated', null, A, 'deny'],
  ['TaskCompleted', null, A, 'deny'],
  ['TeammateIdle', null, A, 'resume'],
  ['Stop', null, A, 'resume'],
  ['StopFailure', 'error', B, 'nothing'],
  ['PreCompact', 'trigger', B, 'cancel'],
  ['PostCompact', 'trigger', B, 'tell-person'],
  ['PreModelSwitch', 'to_model', B, 'deny'],
  ['PostModelSwitch', 'to_model', B, 'nothing'],
  ['InstructionsLoaded', 'load_reason', B, 'nothing'],
  ['ConfigChange', 'source', B, 'deny'],
  ['CwdChanged', null, B, 'tell-person'],
  ['DirectoryAdded', 'source', B, 'nothing'],
  ['FileChanged', 'file_path', B, 'tell-person'],
  ['WorktreeCreate', null, B, 'deny'],
  ['WorktreeRemove', null, B, 'nothing'],
  ['Elicitation', 'mcp_server_name', B, 'deny'],
  ['ElicitationResult', 'mcp_server_name', B, 'deny'],
  ['SessionEnd', 'reason', B, 'tell-person'],
];

const having = (column: keyof ReturnType<typeof claudeEvent>) =>
  (Object.keys(CLAUDE_EVENTS) as ClaudeWord[]).filter((word) => claudeEvent(word)[column] !== undefined);

describe('the table of events', () => {
  test('the table has the 33 documented events in order', () => {
    expect(PAGES.map(([word]) => word)).toEqual(Object.keys(CLAUDE_EVENTS));
    expect(PAGES).toHaveLength(33);
  });

  test.each(PAGES)(
    '%s: a matcher is tested on %s, handler types are %s, exit 2 means %s',
    (word, matcher, types, block) => {
      const row = claudeEvent(word);
      expect([row.matcher, row.types.join(' '), row.block]).toEqual([matcher, types, block]);
    },
  );

  test('every column is set exactly on the events where it applies', () => {
    expect(having('takesIf')).toEqual([
      'PreToolUse',
      'PermissionRequest',
      'PermissionDenied',
      'PostToolUse',
      'PostToolUseFailure',
    ]);
    expect(having('narrow')).toEqual(['StopFailure', 'FileChanged']);
    expect(having('plain')).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'UserPromptExpansion',
      'PostModelSwitch',
    ]);
    expect(having('envFile')).toEqual(['SessionStart', 'Setup', 'CwdChanged', 'FileChanged']);
    expect(having('timeoutMs').map((word) => [word, claudeEvent(word).timeoutMs])).toEqual([
      ['UserPromptSubmit', 30_000],
      ['MessageDisplay', 10_000],
      ['PreModelSwitch', 30_000],
      ['PostModelSwitch', 30_000],
    ]);
    expect(having('message').filter((word) => claudeEvent(word).message === 'nobody')).toEqual([
      'Notification',
      'MessageDisplay',
      'StopFailure',
      'PreCompact',
      'PostCompact',
      'InstructionsLoaded',
      'ConfigChange',
      'WorktreeCreate',
      'WorktreeRemove',
      'Elicitation',
      'ElicitationResult',
      'SessionEnd',
    ]);
    expect(having('decides')).toEqual([
      'UserPromptSubmit',
      'UserPromptExpansion',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'PostToolBatch',
      'SubagentStop',
      'TaskCreated',
      'Stop',
      'PreCompact',
      'ConfigChange',
    ]);
  });

  test('every event of ours has native names, and every native name one event', () => {
    expect(Object.keys(words).toSorted()).toEqual([...EVENT_NAMES].toSorted());
    expect(words['tool.before']).toEqual(['PreToolUse']);
    expect(words['model.context']).toBeNull();
    expect(Object.values(words).flatMap((list) => list ?? [])).toHaveLength(33);
  });
});
