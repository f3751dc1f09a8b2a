/** Converts the fields of each common event to Claude Code's format and back. */

import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import { claudeCallOf } from './call.ts';
import { responseContent, responseOf } from './tool-response.ts';

interface Translation {
  readonly write: (load: Fields, event: Event) => Fields;
  readonly read: (native: Fields) => Fields;
}
const call = (event: Event) => {
  const { tool, input } = claudeCallOf(event);
  return { tool_name: tool, tool_input: input };
};
const asked = ({ tool_name, tool_input }: Fields) => ({
  tool: text(tool_name),
  input: isPlain(tool_input) ? tool_input : {},
});
const text = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise);
const useId = ({ ids }: Event) => ({ tool_use_id: ids.call ?? '' });
const stop = (load: Fields) => ({
  stop_hook_active: load['active'] === true,
  ...given({ last_assistant_message: load['lastMessage'] }),
});
const stopped = (native: Fields) => ({
  active: native['stop_hook_active'] === true,
  ...given({ lastMessage: native['last_assistant_message'] }),
});

export const CLAUDE_TRANSLATIONS: { readonly [E in EventName]?: Translation } = {
  'session.start': {
    write: (load, { scene }) => ({
      source: text(load['source'], 'startup'),
      ...given({ model: scene.model }),
    }),
    read: ({ source }) => given({ source }),
  },
  'session.end': {
    write: (load) => ({ reason: text(load['reason'], 'other') }),
    read: ({ reason }) => given({ reason }),
  },
  'session.error': {
    write: (load) => ({
      error: text(load['kind'], 'unknown'),
      last_assistant_message: text(load['message']),
    }),
    read: (native) => ({
      kind: text(native['error'], 'unknown'),
      message: text(native['last_assistant_message'], text(native['error_details'], text(native['error']))),
    }),
  },
  'prompt.submit': {
    write: ({ prompt }) => ({ prompt: text(prompt) }),
    read: ({ prompt }) => ({ prompt: text(prompt) }),
  },
  'command.before': {
    write: (load) => {
      const [name, args] = [text(load['command']), text(load['arguments'])];
      return {
        expansion_type: 'slash_command',
        command_name: name,
        command_args: args,
        prompt: `/${name}${args === '' ? '' : ` ${args}`}`,
      };
    },
    read: (native) => ({ command: text(native['command_name']), arguments: text(native['command_args']) }),
  },
  'tool.before': { write: (_, event) => ({ ...call(event), ...useId(event) }), read: asked },
  'tool.permission': {
    write: (load, event) => ({ ...call(event), ...given({ permission_suggestions: load['suggestions'] }) }),
    read: (native) => ({ ...asked(native), ...given({ suggestions: native['permission_suggestions'] }) }),
  },
  'tool.denied': {
    write: (load, event) => ({ ...call(event), ...useId(event), reason: text(load['reason']) }),
    read: (native) => ({ ...asked(native), reason: text(native['reason']) }),
  },
  'tool.after': {
    write: (load, event) => ({
      ...call(event),
      tool_response: responseOf(event),
      ...useId(event),
      ...given({ duration_ms: load['durationMs'] }),
    }),
    read: (native) => ({
      ...asked(native),
      content: responseContent(native['tool_response']),
      ...given({ details: native['tool_response'], durationMs: native['duration_ms'] }),
    }),
  },
  'tool.failed': {
    write: (load, event) => ({
      ...call(event),
      ...useId(event),
      error: shortened(text(load['error'])),
      is_interrupt: load['interrupted'] === true,
      ...given({ duration_ms: load['durationMs'] }),
    }),
    read: (native) => ({
      ...asked(native),
      error: text(native['error']),
      ...given({ interrupted: native['is_interrupt'], durationMs: native['duration_ms'] }),
    }),
  },
  'notification.sent': {
    write: (load) => ({
      message: text(load['message']),
      ...given({ title: load['title'] }),
      notification_type: text(load['kind']),
    }),
    read: (native) => ({
      message: text(native['message']),
      ...given({ kind: native['notification_type'], title: native['title'] }),
    }),
  },
  'subagent.start': {
    write: (load, { ids, scene }) => agent(load, ids.agent, scene.agentType),
    read: (native) => given({ type: native['agent_type'] }),
  },
  'subagent.stop': {
    write: (load, { ids, scene }) => ({
      ...stop(load),
      ...agent(load, ids.agent, scene.agentType),
      agent_transcript_path: '',
    }),
    read: (native) => ({ ...stopped(native), ...given({ type: native['agent_type'] }) }),
  },
  'turn.stop': { write: stop, read: stopped },
  'compaction.before': {
    write: (load) => ({
      trigger: text(load['trigger'], 'auto'),
      custom_instructions: load['instructions'] ?? null,
    }),
    read: (native) => ({
      trigger: text(native['trigger'], 'auto'),
      ...(typeof native['custom_instructions'] === 'string' && {
        instructions: native['custom_instructions'],
      }),
    }),
  },
  'compaction.after': {
    write: (load) => ({ trigger: text(load['trigger'], 'auto'), compact_summary: text(load['summary']) }),
    read: (native) => given({ trigger: native['trigger'], summary: native['compact_summary'] }),
  },
  'file.edited': {
    write: (load) => ({ file_path: text(load['file']), event: text(load['change'], 'change') }),
    read: (native) => ({
      file: text(native['file_path']),
      ...(CHANGES.has(native['event']) && { change: native['event'] }),
    }),
  },
};

const CHANGES: ReadonlySet<unknown> = new Set(['change', 'add', 'unlink']);

/** A long error is shortened in the middle, because its start and end are most useful. */
const LONGEST_ERROR = 10_000;
function shortened(error: string): string {
  if (error.length <= LONGEST_ERROR) return error;
  const half = LONGEST_ERROR / 2;
  return `${error.slice(0, half)}\n… (${error.length - LONGEST_ERROR} characters left out) …\n${error.slice(-half)}`;
}

/** Returns the fields that Claude Code would send in addition to the common ones. */
export function claudeFieldsOf(event: Event): Fields {
  const load = event.payload as Fields;
  const { body } = load;
  return CLAUDE_TRANSLATIONS[event.name]?.write(load, event) ?? (isPlain(body) ? body : {});
}

const agent = (load: Fields, id = '', type = '') => ({ agent_id: id, agent_type: text(load['type'], type) });

/** Removes undefined fields. */
function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
