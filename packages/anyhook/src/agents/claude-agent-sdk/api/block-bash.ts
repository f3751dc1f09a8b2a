/** Two ready-made guards for `PreToolUse`: one searches the text, the other parses it as bash. */

import { matchesShell } from '../../../shell/matches-shell.ts';
import type { HookCallback } from '../dialect/hook-callback.ts';
import type { HookJSONOutput } from '../dialect/hook-output.ts';

/** Denies a command that contains one of the texts. Quotes, variables and other spellings bypass it. */
export const blockBashPatternHook = (patterns: readonly string[]): HookCallback =>
  guard((command) => {
    const found = patterns.find((pattern) => command.includes(pattern));
    return found === undefined ? null : `Command contains forbidden pattern: ${found}`;
  });

/**
 * Denies a command that runs one of these, as bash would read it: `rm *`, `git push *`. Checks pipes, substitutions,
 * wrappers and `bash -c`. Commands that cannot be judged are denied too.
 */
export const blockBashCommandHook = (patterns: readonly string[]): HookCallback =>
  guard((command) => {
    const found = patterns.find((pattern) => matchesShell(pattern, command));
    return found === undefined ? null : `Command runs what is forbidden: ${found}`;
  });

const NO_DECISION: HookJSONOutput = Object.freeze({});

const guard =
  (refuse: (command: string) => string | null): HookCallback =>
  (input) => {
    const { tool_name, tool_input } = input as {
      tool_name?: unknown;
      tool_input?: { command?: unknown } | null;
    };
    const command = tool_input?.command;
    if (tool_name !== 'Bash' || typeof command !== 'string') return NO_DECISION;
    const reason = refuse(command);
    return reason === null ? NO_DECISION : denied(reason);
  };

const denied = (permissionDecisionReason: string): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
});
