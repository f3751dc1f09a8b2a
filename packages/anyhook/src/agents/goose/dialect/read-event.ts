/** Converts an event of any Goose version to ours. Extra and missing fields are accepted. */

import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import { makeNatives } from '../../../events/natives.ts';
import { textsIn } from '../../../events/texts-in.ts';
import { field, wordIn } from './aliases.ts';
import { eventOfGoose } from './names.ts';

type Env = Readonly<Record<string, string | undefined>>;
/** Events from a Goose agent are passed to Goose hooks unchanged. */
const natives = makeNatives();
export const isNative = natives.has;

export function readEvent(native: unknown, env: Env = {}): Event {
  const payloadFields: Fields = isPlain(native) ? native : {};
  const word = wordIn(payloadFields) ?? 'unknown';
  // Current Goose sends it for every call, but only refused ones were denied.
  const wasAllowed = word === 'PreToolUseResult' && payloadFields['decision'] === 'allow';
  const name = wasAllowed ? 'other' : (eventOfGoose(word) ?? 'other');
  const call = field(payloadFields, 'tool_call_id', word);
  natives.keep(native);
  return {
    name,
    payload: payloadOf(name, payloadFields, word) as Event['payload'], // unchanged
    ids: {
      session: asText(field(payloadFields, 'session_id', word)),
      ...(typeof call === 'string' && { call }),
    },
    scene: { cwd: asText(field(payloadFields, 'cwd', word)) || (env['PWD'] ?? '') },
    raw: native,
    round: 1,
  };
}

function payloadOf(name: EventName, payloadFields: Fields, word: string): Fields {
  const of = (key: string) => field(payloadFields, key, word);
  const call = () => ({ tool: nameOf(of('tool_name')), input: inputOf(of('tool_input')) });
  switch (name) {
    case 'prompt.submit':
      return { prompt: asText(of('user_prompt')) };
    case 'tool.before':
    case 'tool.permission':
      return call();
    case 'tool.denied':
      return { ...call(), ...textsIn({ reason: of('reason') }) };
    case 'tool.after':
      return { ...call(), content: outputContent(of('tool_output')) };
    case 'tool.failed':
      return { ...call(), error: asText(of('tool_error')) };
    case 'file.edited':
      return { file: asText(inputOf(of('tool_input'))['path'] ?? of('matcher_context')) };
    case 'compaction.before':
      return { ...triggerOf(of), ...numbers({ messageCount: of('pre_compact_message_count') }) };
    case 'compaction.after':
      return {
        ...triggerOf(of),
        ...numbers({ before: of('pre_compact_message_count'), after: of('post_compact_message_count') }),
      };
    case 'turn.stop':
    case 'subagent.stop':
      return {
        active: of('stop_hook_active') === true,
        ...textsIn({ reason: of('reason'), lastMessage: of('last_assistant_text') }),
      };
    case 'session.end':
      return textsIn({ reason: of('reason') });
    case 'notification.sent':
      return { message: asText(of('message')), ...textsIn({ kind: of('notification_type') }) };
    case 'config.loaded':
      return { config: of('config') ?? {} };
    case 'other':
      return { word, body: payloadFields };
    default:
      return {};
  }
}

const triggerOf = (of: (key: string) => unknown) => ({
  trigger: of('manual_compact') === true ? 'manual' : 'auto',
});

/** Arguments that are not an object are kept, because a guard must see them. */
const inputOf = (value: unknown): Fields => (isPlain(value) ? value : value === undefined ? {} : { value });

/** The document sends strings, its code the parts of an MCP result, a later version one string. */
export function outputContent(output: unknown): unknown[] {
  if (output === undefined) return [];
  return (Array.isArray(output) ? output : [output]).map((part: unknown) =>
    isPlain(part) ? part : { type: 'text', text: asText(part) },
  );
}

/** A non-string names no tool. */
const nameOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
};
const numbers = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'number'));
