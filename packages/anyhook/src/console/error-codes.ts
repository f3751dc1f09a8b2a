/**
 * Cause, example and fix of every code that messages show in brackets. For `anyhook explain <code>` and
 * docs/reference/errors.md.
 */

import type { FailureKind } from '../events/exchange.ts';
import type { ProblemCode } from '../events/problems.ts';

export interface ErrorText {
  /** What it means, in one sentence. */
  readonly cause: string;
  /** Something that produces it. */
  readonly example: string;
  readonly fix: string;
}

const SETTINGS = {
  'file-unreadable': {
    cause:
      'A settings file or folder exists and cannot be read. Hooks in it do not run, and tool calls are refused.',
    example: 'chmod 000 ~/.config/anyhook/hooks.json',
    fix: 'Make the file readable for your user, or point $HOME to your home folder.',
  },
  'unsafe-home': {
    cause:
      'HOME, or a similar variable, names a folder inside the project or one that other users can change. Tool calls are refused, because the project could replace your own hooks.',
    example: 'A container that sets HOME=/workspace and has the project in /workspace.',
    fix: 'Set the variable to a folder outside the project. If the folder is right, accept it once in a terminal: anyhook trust home',
  },
  'file-too-large': {
    cause: 'A settings file is larger than the limit for settings.',
    example: 'A hooks.json of 20 MB.',
    fix: 'Remove what is not a hook, or move long commands into scripts.',
  },
  'file-not-regular': {
    cause: 'A settings file is a folder, a pipe, a socket or a device.',
    example: 'mkdir ~/.config/anyhook/hooks.json',
    fix: 'Replace it with a file.',
  },
  syntax: {
    cause: 'A settings file is not valid JSON, YAML or TOML.',
    example: '{ "hooks": { "tool.before": [ }',
    fix: 'Correct the text at the line and column that the message shows.',
  },
  'duplicate-key': {
    cause: 'An object has the same key twice, so it is unclear which value counts.',
    example: '{ "run": "a", "run": "b" }',
    fix: 'Keep one of them.',
  },
  'too-deep': {
    cause: 'A document is nested too deeply, or hooks start agents that run hooks again and again.',
    example: 'A hook on tool.before that starts an agent with the same hook.',
    fix: 'Flatten the document. For hooks, do not start an agent from a hook that the agent would run too.',
  },
  'reader-failed': {
    cause:
      'The settings of one dialect could not be read because of an error in anyhook. Tool calls are refused.',
    example: 'An unexpected value that no test covers.',
    fix: 'Remove the file that the message names, and report the message.',
  },
  'unknown-event': {
    cause: 'No agent has an event of this name, so the hook would never run.',
    example: '{ "hooks": { "tool.befor": [...] } }',
    fix: 'Use the suggested name, or a name from the events page.',
  },
  'foreign-event': {
    cause: 'Our hooks.json uses the event name of another agent. The hook runs on the matching event.',
    example: '{ "hooks": { "PreToolUse": [...] } }',
    fix: 'Write the suggested name to remove the warning.',
  },
  'unknown-key': {
    cause: 'An entry has a key that is not an option.',
    example: '{ "run": "a", "timeout": 5 }',
    fix: 'Use the suggested key, or remove it.',
  },
  'wrong-type': {
    cause: 'A value has the wrong type.',
    example: '{ "run": "a", "timeoutMs": "5" }',
    fix: 'Write a value of the type that the message names.',
  },
  'bad-value': {
    cause: 'A value has the right type and is not allowed here.',
    example: '{ "run": "a", "timeoutMs": 0 }',
    fix: 'Follow the second half of the message.',
  },
  'bad-matcher': {
    cause: 'A matcher is not valid, so the hook would run for nothing or for everything.',
    example: '{ "match": "shell(rm", "run": "a" }',
    fix: "Close brackets, and see the page on matchers. To try it: anyhook why 'rm -rf x'",
  },
  'matcher-unused': {
    cause: 'The event has nothing that a matcher could compare with.',
    example: '{ "hooks": { "turn.stop": [{ "match": "shell", "run": "a" }] } }',
    fix: 'Remove "match".',
  },
  'empty-list': {
    cause: 'A list that needs at least one value is empty.',
    example: '{ "run": [] }',
    fix: 'Add a value, or remove the key.',
  },
  'not-loaded': {
    cause: 'A hook module, or an entry, could not be loaded. A guard that does not load refuses.',
    example: 'An import of a package that is not installed.',
    fix: 'Correct the file and line that the message names, or install what it imports.',
  },
  'stray-error': {
    cause: 'A module threw an error outside of any hook call, such as in a timer.',
    example: 'setTimeout(() => { throw new Error() })',
    fix: 'Catch the error in the module.',
  },
  'not-trusted': {
    cause: 'A hook comes from the project and you have not approved its exact content. It does not run.',
    example: 'A cloned repository with .anyhook/hooks.json.',
    fix: 'Review it, then run: anyhook trust add',
  },
  'not-managed': {
    cause: 'A managed settings file can be changed by others than root, so it does not count.',
    example: 'chmod 666 on a file of the managed folder.',
    fix: 'Make root the owner, and take write permission from everybody else.',
  },
  policy: {
    cause: 'The policy of this machine does not allow it.',
    example: 'A hook of a layer that the policy excludes.',
    fix: 'Ask the administrator of this machine.',
  },
  'unknown-dialect': {
    cause: 'No dialect has this name.',
    example: 'settings: { dialects: ["claude"] }',
    fix: 'Use the suggested name, such as claude-code.',
  },
  'duplicate-hook': {
    cause: 'Two hooks have the same name in one file.',
    example: 'Two entries with "name": "guard".',
    fix: 'Give each its own name.',
  },
  'service-missing': {
    cause: 'A hook needs something that the program does not provide, such as a model or a user interface.',
    example: 'A prompt hook in a program without a judge.',
    fix: 'Provide the service in createHooks, or use another kind of hook.',
  },
  'never-called': {
    cause: 'The program never fires the event of this hook.',
    example: 'A hook on turn.stop in a program that only wraps tools.',
    fix: 'Fire the event, or remove the hook.',
  },
} as const satisfies Readonly<Record<ProblemCode, ErrorText>>;

const FAILURES = {
  'timed-out': {
    cause: 'The hook did not answer in time. Its process group was ended.',
    example: '{ "run": "sleep 120" }',
    fix: 'Make it faster, or raise "timeoutMs".',
  },
  'no-time': {
    cause: 'Other hooks used up the time for this event before the hook could start.',
    example: 'Ten hooks in turn, each of which takes seconds.',
    fix: 'Make the hooks before it faster.',
  },
  killed: {
    cause: 'A signal that anyhook did not send ended the hook.',
    example: 'The system ran out of memory.',
    fix: 'Look at the system log, and at the memory that the hook uses.',
  },
  'not-started': {
    cause: 'The hook could not be started.',
    example: '{ "run": ["no-such-program"] }',
    fix: 'Install the program, write its full path, or make the file executable.',
  },
  'not-loaded': SETTINGS['not-loaded'],
  'not-trusted': SETTINGS['not-trusted'],
  unreadable: {
    cause: 'The hook answered with something that is not an answer. That is never consent.',
    example: 'echo \'{"decision": "Deny"}\'',
    fix: 'Print one JSON document with the documented keys, and logs to stderr.',
  },
  failed: {
    cause: 'The hook ended with an error that is not an answer, such as exit code 1.',
    example: 'exit 1',
    fix: 'Exit with 2 to refuse and 0 to pass, or set "exit": "any" so that every code but 0 refuses.',
  },
  aborted: {
    cause: 'The agent or program cancelled the event while the hook was running.',
    example: 'You pressed Esc in the agent.',
    fix: 'Nothing to do.',
  },
  'too-deep': SETTINGS['too-deep'],
  unavailable: {
    cause: 'The hook needs a service that this agent does not provide, such as a model or an MCP server.',
    example: 'A prompt hook through a bridge, which has no model to ask.',
    fix: 'Use a command or a module instead.',
  },
} as const satisfies Readonly<Record<FailureKind, ErrorText>>;

const FINDINGS = {
  'reaches-no-agent': {
    cause: 'A hook is configured correctly and no agent on this machine runs it.',
    example: 'Hooks of Goose on a machine where only Claude Code is installed, without anyhook in it.',
    fix: 'Install anyhook in an agent: anyhook install',
  },
  'no-judge': {
    cause: 'A prompt hook needs a model, and installed agents give anyhook none. The hook fails each time.',
    example: '{ "type": "prompt", "prompt": "Is this safe?" } of Claude Code, in Codex.',
    fix: 'Use a command or a module instead, or provide a model in createHooks.',
  },
  'bridge-broken': {
    cause: 'The entry of anyhook in an agent starts a file that is missing.',
    example: 'rm ~/.local/share/anyhook/anyhook-client',
    fix: 'Install again: anyhook install <agent>',
  },
  'bridge-changed': {
    cause: 'The entry of anyhook in an agent differs from what this version installs.',
    example: 'The entry was edited, or anyhook was updated.',
    fix: 'Install again: anyhook install <agent>',
  },
  'bridge-gone': {
    cause: 'anyhook was installed in this agent and its entry is gone. Hooks do not run there.',
    example: 'The agent rewrote its settings file.',
    fix: 'Install again: anyhook install <agent>',
  },
  'bridge-skipped': {
    cause: 'The agent has the entry of anyhook and does not run it.',
    example: 'Codex runs a hook only after you trusted it in /hooks.',
    fix: 'Follow the message: trust the entry in the agent.',
  },
  'bridge-not-called': {
    cause:
      'The installed version of the agent is newer than any that was tested, and it has not called the bridge since it was installed. Hooks may not run there.',
    example: 'OpenCode 2 does not load plugins in the form of OpenCode 1.',
    fix: 'Start the agent, let it use a tool, and run anyhook doctor again. Or try it: anyhook doctor --probe <agent>',
  },
  'bridge-twice': {
    cause: 'anyhook is installed in the user and the project settings of one agent, so each hook runs twice.',
    example: 'anyhook install codex && anyhook install codex --project',
    fix: 'Remove one: anyhook uninstall <agent> --project',
  },
  'bridge-unknown': {
    cause: 'The settings of an agent could not be read, so it is unknown whether anyhook is installed there.',
    example: 'A settings file with a syntax error.',
    fix: 'Correct the file that the message names.',
  },
  'guard-missing': {
    cause:
      'A guard of the project that you trusted is changed or missing. Calls it covered need your confirmation.',
    example: 'git checkout to a branch without the guard.',
    fix: 'Restore the guard, or run the command that the message shows.',
  },
  'host-timeout': {
    cause: 'The agent ends a hook sooner than anyhook would, so a slow guard could be skipped.',
    example: 'An entry whose timeout was lowered by hand.',
    fix: 'Install again: anyhook install <agent>',
  },
  'fails-open': {
    cause: 'A guard of another dialect lets the call pass if it breaks.',
    example: 'A Claude Code hook that times out.',
    fix: 'Use the key that the message names to make failures refuse.',
  },
  'journal-damaged': {
    cause: 'The journal has lines that are damaged or missing.',
    example: 'A line was edited by hand.',
    fix: 'Look at: anyhook verify',
  },
  'journal-unread': {
    cause: 'The journal cannot be read.',
    example: 'Its folder belongs to another user.',
    fix: 'Make the folder yours.',
  },
  'loads-project-code': {
    cause: 'A command of yours runs in the project folder and would load modules from there.',
    example: '{ "run": "python3 -m check" } in your own settings.',
    fix: 'Write the full path of the module.',
  },
  managed: {
    cause: 'An administrator manages hooks on this machine.',
    example: 'A policy in the managed folder.',
    fix: 'Nothing to do.',
  },
  paused: {
    cause: 'All hooks are switched off for a while.',
    example: 'anyhook pause 30m',
    fix: 'Switch them on: anyhook resume',
  },
  'undo-off': {
    cause: 'No snapshots are taken in this project, so `anyhook undo` has nothing to put back.',
    example: 'a project with more than 100,000 files, or the home folder',
    fix: 'Leave folders out: "undo": { "skip": ["data"] }. See docs/undo.md',
  },
  'not-read': {
    cause: 'A file looks like settings and no agent reads it at this place.',
    example: '~/.config/anyhook/hook.json',
    fix: 'Move it to the place that the message names.',
  },
  'blank-command': {
    cause: 'The command of a hook is empty or only a comment.',
    example: '{ "run": "# todo" }',
    fix: 'Write a command, or remove the entry.',
  },
  'missing-script': {
    cause: 'A hook names a script that does not exist.',
    example: '{ "run": "~/guards/gone.sh" }',
    fix: 'Correct the path, or restore the file.',
  },
  'missing-program': {
    cause: 'A hook starts a program that is not on the PATH.',
    example: '{ "run": "jqq ." }',
    fix: 'Install it, or correct the name.',
  },
  'missing-interpreter': {
    cause: 'The first line of a script names an interpreter that does not exist.',
    example: '#!/usr/bin/python2',
    fix: 'Correct the line, or install the interpreter.',
  },
  'not-executable': {
    cause: 'A script is started by its path and is not executable.',
    example: 'chmod -x guard.sh',
    fix: 'chmod +x <file>',
  },
  'windows-line-ends': {
    cause: 'A script has Windows line endings, so its interpreter is not found.',
    example: 'A script saved by an editor on Windows.',
    fix: "Convert it: sed -i 's/\\r$//' <file>",
  },
  'milliseconds-for-seconds': {
    cause: 'A timeout in seconds looks like milliseconds.',
    example: '"timeout": 30000 in a Claude Code hook.',
    fix: 'Write seconds.',
  },
  'seconds-for-milliseconds': {
    cause: 'A timeout in milliseconds looks like seconds.',
    example: '"timeoutMs": 30',
    fix: 'Write milliseconds.',
  },
  'runs-twice': {
    cause: 'The same command is configured twice for one event.',
    example: 'One hook in hooks.json and in .claude/settings.json.',
    fix: 'Remove one of them.',
  },
  'pattern-not-linear': {
    cause:
      'A regular expression in a matcher cannot run in linear time, so long texts are not searched whole.',
    example: '"match": "/(a+)+$/"',
    fix: 'Rewrite it without nested repetition or look-around.',
  },
  'dead-matcher': {
    cause: 'A matcher matches no known tool, so the hook never runs.',
    example: '"match": "Bsah"',
    fix: 'Use the suggested name.',
  },
  'wrong-case': {
    cause: 'A matcher differs from the name of a tool only in upper and lower case.',
    example: '"matcher": "bash" in a Claude Code hook.',
    fix: 'Use the suggested spelling.',
  },
  'unseen-letters': {
    cause: 'A matcher contains invisible characters, so it matches nothing.',
    example: 'A zero-width space copied from a web page.',
    fix: 'Type the matcher again.',
  },
  unanchored: {
    cause: 'A matcher also matches longer tool names.',
    example: '"matcher": "Edit" matches NotebookEdit.',
    fix: 'Anchor it: ^Edit$',
  },
} as const satisfies Readonly<Record<string, ErrorText>>;

/** Why a command ended without doing its work, and what its `--json` output reports. */
const COMMANDS = {
  'wrong-use': {
    cause: 'A command was called in a way that it does not understand. Nothing was done.',
    example: 'anyhook log --verdict maybe',
    fix: 'Follow the message, or see: anyhook help <command>',
  },
  'user-only': {
    cause: 'The command changes what guards do, and it was not started by a user in a terminal.',
    example: 'An agent that runs: anyhook pause',
    fix: 'Run the command yourself, in a terminal that no agent started.',
  },
  'file-system': {
    cause: 'A file or folder could not be read or written.',
    example: 'HOME=/nonexistent anyhook list',
    fix: 'Check $HOME, and the owner and permissions of the path in the message.',
  },
  internal: {
    cause: 'anyhook itself has an error.',
    example: 'A stack trace and exit code 70.',
    fix: 'Report the message and the stack trace.',
  },
  'bad-case': {
    cause: 'A test file contains something that is not a test case.',
    example: 'A case without "on" in guard.test.yaml.',
    fix: 'Correct the file at the line that the message shows.',
  },
  'case-failed': {
    cause: 'A test case expected something else from the hooks.',
    example: 'anyhook test after a guard was changed.',
    fix: 'Correct the hook, or what the case expects.',
  },
  'not-known': {
    cause: 'A hash that was to be revoked is not trusted.',
    example: 'anyhook trust revoke sha256:000000',
    fix: 'See the hashes with: anyhook trust list',
  },
} as const satisfies Readonly<Record<string, ErrorText>>;
export type CommandCode = keyof typeof COMMANDS;

export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorText>> = {
  ...SETTINGS,
  ...FAILURES,
  ...FINDINGS,
  ...COMMANDS,
};
export type ErrorCode = ProblemCode | FailureKind | keyof typeof FINDINGS | CommandCode;
export const isErrorCode = (word: string): word is ErrorCode => Object.hasOwn(ERROR_CODES, word);
