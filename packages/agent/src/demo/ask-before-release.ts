import type { HookCallback } from 'anyhook/claude-agent-sdk';

/** A callback as a program written for the Claude Agent SDK registers it. */
export const askBeforeRelease: HookCallback<'PreToolUse'> = ({ tool_input: input }) =>
  String((input as { command?: unknown }).command).includes('release')
    ? {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'ask',
          permissionDecisionReason: 'a release cannot be taken back',
        },
      }
    : {};
