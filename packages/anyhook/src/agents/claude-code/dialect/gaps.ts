/** What this dialect does not support, with reasons. Printed on its docs page and checked by the contract. */

import type { EventName } from '../../../events/events.ts';
import { words } from './names.ts';

export interface ClaudeGap {
  readonly what: string;
  readonly reason: string;
  readonly payloads?: readonly EventName[];
  readonly answers?: readonly string[];
}

export const GAPS: readonly ClaudeGap[] = [
  {
    what: 'A verdict on an event without a common name is not always read back as the same verdict',
    reason: 'each word of `other` reads other fields: a refused batch is a halt, an idle teammate goes on',
    answers: words['other'] ?? [],
  },
  {
    what: 'A subagent cannot be prevented from starting',
    reason: 'exit 2 on SubagentStart is only shown to the user',
    answers: ['SubagentStart'],
  },
  {
    what: 'Asking on PermissionRequest is written as no answer',
    reason: 'the user is asked anyway, and there is no field for it, so it is not read back',
    answers: ['PermissionRequest'],
  },
  {
    what: 'Of the lines written to CLAUDE_ENV_FILE, what a shell does besides setting variables, `unset`, and those of an async hook',
    reason:
      'a shell reads them once, when the hook has ended, and the variables go on as a gift; Claude Code reads them before every command',
  },
  {
    what: '`{"async": true}` as first output does not detach a hook',
    reason:
      'on purpose: Claude Code 2.1.325 lets go of it there and then, and an exit 2 or a denial behind it is void (seen); a guard that prints what the model wrote would be rid of its refusal. It is waited for, then taken as async; "async" in its settings detaches it',
  },
  {
    what: 'An agent hook reads and searches files, and runs nothing; in a host whose judge has no tools it judges without',
    reason:
      'hooks and rules judge its calls like those of the agent; in Claude Code 2.1.325 it is offered Bash, Edit and Write too',
  },
  {
    what: 'Of updatedPermissions, modes, folders, and rules that are taken away or replaced',
    reason: 'new rules become a gift; the others are reported to the user',
  },
  {
    what: 'Titles and the bell in terminalSequence, suppressOriginalPrompt, classifierContext, reloadSkills, watchPaths (SessionStart, FileChanged)',
    reason: 'no effect of ours carries them; the whole answer is recorded',
  },
  {
    what: 'The symbolic links in the path of a worktree are not looked at',
    reason: 'a dialect does not access the disk; the agent that uses the path does',
  },
  {
    what: 'Managed policy files, --settings, and hooks in the header of a skill or subagent are not found by themselves',
    reason:
      'they are handed to createHooks as `settings.sources`, with their layer; disableAllHooks and allowManagedHooksOnly are then honoured',
  },
  {
    what: 'strictPluginOnlyCustomization, prependPlugins, appendPlugins, function hooks ("modules" of a plugin)',
    reason: 'they order and run code inside Claude Code itself; a plugin’s "modules" are named as a problem',
  },
  {
    what: 'Answers to a plugin’s questions that are kept as secrets',
    reason: 'they are in Claude Code’s own store; a hook that needs one in its arguments gets a problem',
  },
  {
    what: 'strictKnownMarketplaces, blockedMarketplaces, marketplaces that are only declared in settings, CLAUDE_CODE_PLUGIN_SEED_DIR',
    reason: 'they restrict what Claude Code may install; installed and enabled plugins run',
  },
  {
    what: 'A model’s alias is not made canonical before PreModelSwitch and PostModelSwitch are matched',
    reason: 'Claude Code sends canonical names; names of other hosts are compared unchanged',
  },
  {
    what: 'No files are watched for FileChanged; it fires when the host reports an edit',
    reason: 'the host watches files; a matcher is still tested on the file name',
  },
  {
    what: 'The time at SessionEnd is shared within one file, not across files; CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS is not read',
    reason: 'each file is read on its own',
  },
  {
    what: 'CLAUDE_PID, CLAUDE_CODE_MESSAGING_SOCKET, CLAUDE_CODE_SHELL_PREFIX, CLAUDE_CODE_SUBPROCESS_ENV_SCRUB',
    reason: 'they belong to a running Claude Code; where there is one they are inherited',
  },
  {
    what: 'A refused ConfigChange of policy_settings, and systemMessage of a DirectoryAdded that no slash command made',
    reason: 'both are read as for other sources; Claude Code itself ignores them',
  },
  {
    what: 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP',
    reason: 'a stop is refused at most eight times in a row, in every host',
  },
  {
    what: 'onFailure "block" after the fact (PostToolUse, SessionStart, …)',
    reason: 'it acts as exit 2, which blocks nothing there: named as a problem, the failure is marked',
  },
];
