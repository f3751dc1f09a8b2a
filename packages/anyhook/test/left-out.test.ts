/**
 * Field by field: what each agent really told its hooks, and what a host that is another agent tells the same hooks. What is
 * left out on purpose is listed; a field that comes to be missing fails. OpenCode's list stands beside its dialect;
 * Copilot CLI's documents come in two casings, and are compared there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDialect } from '../src/assemble.ts';
import { isPlain } from '../src/canon/changes.ts';
import type { Fields } from '../src/canon/effects.ts';
import type { Event } from '../src/canon/event.ts';
import type { Hook } from '../src/canon/hook.ts';
import { makeLexicon } from '../src/canon/lexicon.ts';

/** Dialect → where its recordings lie, and under which key they name their event. */
const RECORDINGS = {
  'claude-code': ['recorded', 'hook_event_name'],
  codex: ['recorded', 'hook_event_name'],
  'gemini-cli': ['recorded', 'hook_event_name'],
  'qwen-code': ['recorded', 'hook_event_name'],
  'grok-build': ['recorded', 'hook_event_name'],
  'kimi-code': ['recorded', 'hook_event_name'],
  goose: ['1.52.0', 'event'],
  'oh-my-pi': ['recorded', 'type'],
} as const;
type Recorded = keyof typeof RECORDINGS;

/** Every place at which a value stands; of a list, those of all its parts. */
function places(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => places(one, `${at}[]`)))];
  if (!isPlain(value)) return [at];
  return Object.entries(value).flatMap(([key, one]) => places(one, at === '' ? key : `${at}.${key}`));
}

function leftOut(name: Recorded, native: Fields): string[] {
  const dialect = findDialect(name)!;
  const [, key] = RECORDINGS[name];
  const hook = { on: String(native[key]), run: { kind: name === 'oh-my-pi' ? 'call' : 'command' } };
  const request = dialect.payload.write(byAnother(dialect.payload.read(native), name), hook as Hook);
  const told: unknown =
    request.kind === 'call' ? request.args[0] : JSON.parse('stdin' in request ? request.stdin! : '');
  const there = new Set(places(told));
  return places(native).filter((place) => !there.has(place));
}

/** As another host fires it: our payload, in our words, without what the agent itself said. */
function byAnother(read: Event, name: Recorded): Event {
  const { raw: _raw, ...event } = read;
  const { tool, input } = event.payload as { tool?: string; input?: Fields };
  if (tool === undefined || input === undefined) return event as Event;
  const { native: _native, ...said } = makeLexicon([findDialect(name)!.tools]).read(tool, input);
  return { ...event, payload: { ...event.payload, ...said } } as Event;
}

/** By dialect: field → at which of its events. */
const LEFT_OUT: Readonly<Record<Recorded, Readonly<Record<string, string>>>> = {
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
    // Measured by its own tools, as are the fill of its context and its background tasks.
    duration_ms: 'PostToolUse PostToolUseFailure',
    is_interrupt: 'PostToolUseFailure',
    custom_instructions: 'PreCompact',
    background_tasks: 'Stop SubagentStop',
    context_usage: 'Stop',
    context_limit: 'Stop',
    input_tokens: 'Stop',
    agent_transcript_path: 'SubagentStop',
  },
  'grok-build': {
    level: 'Notification',
    // The parts of its own tools' results, and what they measure; the text for the model is there.
    toolResult: 'PostToolUse',
    tool_response: 'PostToolUse',
    durationMs: 'PostToolUse',
    duration_ms: 'PostToolUse',
    isBackgrounded: 'PostToolUse',
    // No other host counts prompts.
    promptId: 'Stop StopFailure SubagentStop UserPromptSubmit',
    // Told as `error`; why it stopped, and what a subagent is about, no other host says.
    reason: 'Stop',
    errorDetails: 'StopFailure',
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
    // Told as `error` and `agent_type`; what a subagent is asked and answers is its own.
    error_type: 'StopFailure',
    error_message: 'StopFailure',
    agent_name: 'SubagentStart SubagentStop',
    prompt: 'SubagentStart',
    response: 'SubagentStop',
    is_steer: 'UserPromptSubmit',
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
  place.replace(/^(tool_response|toolResult|background_tasks)\b.*/, '$1');

test.each(Object.keys(RECORDINGS) as Recorded[])(
  'a hook of %s is told every field elsewhere, but for what is left out on purpose',
  (name) => {
    const folder = join(import.meta.dirname, '../src/dialects', name, 'fixtures', RECORDINGS[name][0]);
    const files = readdirSync(folder).filter((file) => !file.startsWith('_'));
    const missing = new Map<string, Set<string>>();
    for (const file of files) {
      const native = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fields;
      for (const place of leftOut(name, native)) {
        const events = missing.get(fieldOf(place)) ?? new Set();
        missing.set(fieldOf(place), events.add(file.split('.')[0]!));
      }
    }
    expect(files.length).toBeGreaterThan(5);
    const found = [...missing].map(([field, events]) => [field, [...events].toSorted().join(' ')]);
    expect(Object.fromEntries(found)).toEqual(LEFT_OUT[name]);
  },
);
