/**
 * Compares, field by field, the recorded payloads of each agent with those that another host gives the same hooks.
 * Deliberate omissions are listed here; any other missing field fails.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDialect } from '../src/dialects.ts';
import { isPlain } from '../src/events/changes.ts';
import type { Fields } from '../src/events/effects.ts';
import type { Event } from '../src/events/event.ts';
import type { Hook } from '../src/events/hook.ts';
import { makeLexicon } from '../src/events/lexicon.ts';

/** Whose recordings, where they lie, and under which key they name their event; those of Copilot CLI need not. */
const RECORDINGS = {
  'claude-code': ['claude-code/dialect/fixtures/recorded', 'hook_event_name'],
  'claude-agent-sdk': ['claude-code/dialect/fixtures/recorded', 'hook_event_name'],
  codex: ['codex/dialect/fixtures/recorded', 'hook_event_name'],
  'gemini-cli': ['gemini-cli/dialect/fixtures/recorded', 'hook_event_name'],
  'qwen-code': ['qwen-code/dialect/fixtures/recorded', 'hook_event_name'],
  'grok-build': ['grok-build/dialect/fixtures/recorded', 'hook_event_name'],
  'kimi-code': ['kimi-code/dialect/fixtures/recorded', 'hook_event_name'],
  'copilot-cli': ['copilot-cli/dialect/fixtures/recorded', null],
  'copilot-cli in camelCase': ['copilot-cli/dialect/fixtures/recorded-camel', null],
  // Of its documents: nobody has recorded it.
  cursor: ['cursor/dialect/fixtures/published', 'hook_event_name'],
  goose: ['goose/dialect/fixtures/1.52.0', 'event'],
  'oh-my-pi': ['oh-my-pi/dialect/fixtures/recorded', 'type'],
  'oh-my-pi in pi': ['oh-my-pi/dialect/fixtures/recorded-pi', 'type'],
} as const;
type Recorded = keyof typeof RECORDINGS;
const dialectOf = (name: Recorded) => findDialect(name.split(' ')[0]!)!;

/** Every place at which a value stands; of a list, those of all its parts. */
function places(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => places(one, `${at}[]`)))];
  if (!isPlain(value)) return [at];
  return Object.entries(value).flatMap(([key, one]) => places(one, at === '' ? key : `${at}.${key}`));
}

function leftOut(name: Recorded, recorded: Fields, file: string): string[] {
  const dialect = dialectOf(name);
  const [, key] = RECORDINGS[name];
  const on = key === null ? file.split('.')[0]! : String(recorded[key]);
  const native = key === null ? { ...recorded, hook_event_name: on } : recorded;
  const isCode = dialect.name === 'oh-my-pi' || dialect.name === 'claude-agent-sdk';
  const hook = { on, run: { kind: isCode ? 'call' : 'command' } };
  const request = dialect.payload.write(byAnother(dialect.payload.read(native), name), hook as Hook);
  const told: unknown =
    request.kind === 'call' ? request.args[0] : JSON.parse('stdin' in request ? request.stdin! : '');
  const there = new Set(places(told));
  return places(recorded).filter((place) => !there.has(place));
}

/** As another host fires it: our payload, in our words, without what the agent itself said. */
function byAnother(read: Event, name: Recorded): Event {
  const { raw: _raw, ...event } = read;
  const { tool, input } = event.payload as { tool?: string; input?: Fields };
  if (tool === undefined || input === undefined) return event as Event;
  const { native: _native, ...said } = makeLexicon([dialectOf(name).tools]).read(tool, input);
  return { ...event, payload: { ...event.payload, ...said } } as Event;
}

const EVERY_CURSOR_EVENT =
  'afterFileEdit beforeMCPExecution beforeReadFile beforeShellExecution beforeSubmitPrompt postToolUse postToolUseFailure preCompact preToolUse sessionEnd sessionStart stop subagentStart subagentStop';

/** By dialect: field → at which of its events. */
const LEFT_OUT: Readonly<Record<Exclude<Recorded, 'claude-agent-sdk'>, Readonly<Record<string, string>>>> = {
  'claude-code': {
    // No other host counts prompts, or has levels of effort.
    prompt_id:
      'PermissionRequest PostCompact PostToolUse PostToolUseFailure PreCompact PreToolUse SessionEnd SessionStart Stop StopFailure SubagentStart SubagentStop UserPromptExpansion UserPromptSubmit',
    'effort.level':
      'PermissionRequest PostToolUse PostToolUseFailure PreToolUse Stop StopFailure SubagentStop',
    // Patches, statistics and usage of its own tools.
    tool_response: 'PostToolUse',
    // Another host's commands have no sources.
    command_source: 'UserPromptExpansion',
  },
  codex: {},
  'gemini-cli': {
    // What its screen shows of an edit, and of a subagent.
    tool_response: 'AfterTool',
  },
  'qwen-code': {
    // Known to its own notices alone.
    title: 'Notification',
    // No other host counts prompts.
    prompt_id:
      'PostToolUse PostToolUseFailure PreCompact PreToolUse Stop SubagentStart SubagentStop UserPromptSubmit',
    // What its screen shows.
    tool_response: 'PostToolUse',
    // The fill of its context, and its background tasks.
    background_tasks: 'Stop SubagentStop',
    context_usage: 'Stop',
    context_limit: 'Stop',
    input_tokens: 'Stop',
    agent_transcript_path: 'SubagentStop',
  },
  'grok-build': {
    level: 'Notification',
    // The parts of its own tools' results; the text for the model is there.
    toolResult: 'PostToolUse',
    tool_response: 'PostToolUse',
    isBackgrounded: 'PostToolUse',
    // No other host counts prompts.
    promptId: 'Stop StopFailure SubagentStop UserPromptSubmit',
    // Why it stopped, and what a subagent is about, no other host says.
    reason: 'Stop',
    lastAssistantMessage: 'StopFailure',
    description: 'SubagentStart',
    phase: 'SubagentStop',
  },
  'kimi-code': {
    // Which of its programs asks; elsewhere there is none.
    client_type:
      'Notification PostCompact PostToolUse PostToolUseFailure PreCompact PreToolUse SessionStart Stop StopFailure SubagentStart SubagentStop UserPromptSubmit',
    // Of its own: notices, counts of tokens, profiles, steering.
    sink: 'Notification',
    title: 'Notification',
    body: 'Notification',
    severity: 'Notification',
    source_kind: 'Notification',
    source_id: 'Notification',
    estimated_token_count: 'PostCompact',
    token_count: 'PreCompact',
    profile: 'SessionStart',
    // Its names for errors, and what a subagent is asked.
    error_type: 'StopFailure',
    prompt: 'SubagentStart',
    is_steer: 'UserPromptSubmit',
  },
  'copilot-cli': {
    // Where in its own program it went wrong.
    'error.stack': 'ErrorOccurred',
    error_context: 'ErrorOccurred',
    recoverable: 'ErrorOccurred',
    // Elsewhere a subagent does not know whose it is, and a session begins before its first prompt.
    parent_agent_id:
      'PermissionRequest PostToolUse PreToolUse Stop SubagentStart SubagentStop UserPromptSubmit',
    initial_prompt: 'SessionStart',
  },
  'copilot-cli in camelCase': {
    'error.stack': 'errorOccurred',
    errorContext: 'errorOccurred',
    recoverable: 'errorOccurred',
    parentAgentId:
      'agentStop permissionRequest postToolUse preToolUse subagentStart subagentStop userPromptSubmitted',
    initialPrompt: 'sessionStart',
  },
  cursor: {
    // Known to its own program, its account and its window alone.
    generation_id: EVERY_CURSOR_EVENT,
    user_email: EVERY_CURSOR_EVENT,
    composer_mode: 'sessionStart',
    is_background_agent: 'sessionEnd sessionStart',
    sandbox: 'beforeShellExecution',
    'attachments[].type': 'beforeSubmitPrompt',
    'attachments[].file_path': 'beforeSubmitPrompt',
    agent_message: 'preToolUse',
    // Elsewhere a file is known to have changed, not how; and before it is read nobody has its text.
    'edits[].old_string': 'afterFileEdit',
    'edits[].new_string': 'afterFileEdit',
    content: 'beforeReadFile',
    // How a server was started.
    command: 'beforeMCPExecution',
    failure_type: 'postToolUseFailure',
    // What no other host counts or measures.
    context_usage_percent: 'preCompact',
    context_tokens: 'preCompact',
    context_window_size: 'preCompact',
    message_count: 'preCompact',
    messages_to_compact: 'preCompact',
    is_first_compaction: 'preCompact',
    duration_ms: 'sessionEnd',
    final_status: 'sessionEnd',
    // What a subagent is about, and whose it is.
    task: 'subagentStart subagentStop',
    parent_conversation_id: 'subagentStart',
    tool_call_id: 'subagentStart',
    is_parallel_worker: 'subagentStart',
    summary: 'subagentStop',
  },
  'oh-my-pi in pi': {
    // Told where the event comes from pi itself, as is the whole conversation after a turn.
    systemPrompt: 'before_agent_start',
    systemPromptOptions: 'before_agent_start',
    context: 'turn_end',
    messageEntryId: 'turn_end',
    'toolResultEntryIds[]': 'turn_end',
    outcome: 'turn_end',
    continue: 'turn_end',
    // pi says every edit as a list of edits; oh-my-pi, whose names these are, says one as itself.
    'input.edits[].oldText': 'tool_call tool_result',
    'input.edits[].newText': 'tool_call tool_result',
  },
  goose: {
    tool_name: 'AfterFileEdit',
    // Elsewhere a file is known to have changed, not by which call.
    'tool_input.before': 'AfterFileEdit',
    'tool_input.after': 'AfterFileEdit',
    'tool_input.content': 'AfterFileEdit',
  },
  'oh-my-pi': {
    // An extension's field: it is told where the event comes from pi itself.
    'systemPrompt[]': 'before_agent_start',
  },
};

/** What a result consists of is each tool's own, and told as far as another host's result goes. */
const fieldOf = (place: string): string =>
  place.replace(/^(tool_response|toolResult|background_tasks|systemPromptOptions|context)\b.*/, '$1');

test.each(Object.keys(RECORDINGS) as Recorded[])(
  'a hook of %s is told every field elsewhere, but for what is left out on purpose',
  (name) => {
    const folder = join(import.meta.dirname, '../src/agents', RECORDINGS[name][0]);
    const files = readdirSync(folder).filter((file) => !file.startsWith('_'));
    const missing = new Map<string, Set<string>>();
    for (const file of files) {
      const native = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fields;
      for (const place of leftOut(name, native, file)) {
        const events = missing.get(fieldOf(place)) ?? new Set();
        missing.set(fieldOf(place), events.add(file.split('.')[0]!));
      }
    }
    expect(files.length).toBeGreaterThan(5);
    const found = [...missing].map(([field, events]) => [field, [...events].toSorted().join(' ')]);
    expect(Object.fromEntries(found)).toEqual(LEFT_OUT[name === 'claude-agent-sdk' ? 'claude-code' : name]);
  },
);
