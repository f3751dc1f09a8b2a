/** Translates the payload fields of each common event to these agents' format and back. */
import { contentText } from '../../../events/content.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { callIn } from '../../../events/lexicon.ts';
import { isFields } from '../../../events/fields.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import {
  callFrom,
  given,
  SESSION_TRANSLATIONS,
  textOr,
  type Translation,
  type Translations,
} from '../claude-shaped/translation.ts';
import type { PayloadSpelling } from './terms.ts';

/** Returns the first of these keys that is present. Some agents spell a field in two ways. */
export const either = (native: Fields, ...keys: readonly string[]): unknown =>
  keys.map((key) => native[key]).find((value) => value !== undefined && value !== null);

const PLAIN_PROMPT: NonNullable<PayloadSpelling['prompt']> = {
  write: (text) => text,
  read: (said) => textOr(said),
};

const PLAIN_ERROR: NonNullable<PayloadSpelling['error']> = {
  write: (text) => ({ error: text }),
  read: (said) => textOr(said['error']),
};

export function translationsFor(spelling: PayloadSpelling, tools: ToolColumn): Translations {
  const { prompt = PLAIN_PROMPT, result, error = PLAIN_ERROR, trigger, known = {}, usual = {} } = spelling;
  const { duration, interrupt, instructions } = known;
  const tookWritten = (load: Fields): Fields =>
    duration === undefined ? {} : given({ [duration]: load['durationMs'] });
  const tookRead = (native: Fields): Fields =>
    duration === undefined ? {} : given({ durationMs: native[duration] });
  const call = (event: Event): Fields => {
    const { tool, input } = callIn(tools, event);
    return { tool_name: tool, tool_input: input };
  };
  const id = ({ ids }: Event): Fields =>
    spelling.callId === null || ids.call === undefined ? {} : { [spelling.callId]: ids.call };
  const agentFields = (load: Fields, { ids, scene }: Event): Fields => ({
    agent_id: ids.agent ?? '',
    agent_type: textOr(load['type'], scene.agentType ?? usual.agentType ?? 'general-purpose'),
  });
  const compaction: Translation = {
    write: (load) => ({ [trigger]: textOr(load['trigger'], 'auto') }),
    read: (said) => ({ trigger: textOr(said[trigger], 'auto') }),
  };
  const asked: Translation = {
    write: (load, event) => ({
      ...compaction.write(load, event),
      ...(instructions !== undefined && { [instructions]: textOr(load['instructions']) }),
    }),
    read: (said) => {
      const text = instructions === undefined ? '' : textOr(said[instructions]);
      return { ...compaction.read(said), ...(text !== '' && { instructions: text }) };
    },
  };
  return {
    ...SESSION_TRANSLATIONS,
    'session.error': {
      write: (load) => ({ error: textOr(load['message']) }),
      read: (said) => ({ message: failureIn(said) }),
    },
    'prompt.submit': {
      write: (load) => ({ prompt: prompt.write(textOr(load['prompt'])) }),
      read: (said) => ({ prompt: prompt.read(said['prompt']) }),
    },
    'tool.before': { write: (_, event) => ({ ...call(event), ...id(event) }), read: callFrom },
    'tool.permission': { write: (_, event) => call(event), read: callFrom },
    'tool.denied': {
      write: (load, event) => ({ ...call(event), ...id(event), ...given({ reason: load['reason'] }) }),
      read: (said) => ({ ...callFrom(said), reason: textOr(said['reason']) }),
    },
    'tool.after': {
      write: (load, event) => ({
        ...call(event),
        ...result.write(contentText(load['content'])),
        ...id(event),
        ...tookWritten(load),
      }),
      read: (said) => ({
        ...callFrom(said),
        content: partsOf(result.read(said)),
        ...(result.details !== undefined && given({ details: said[result.details] })),
        ...tookRead(said),
      }),
    },
    'tool.failed': {
      write: (load, event) => ({
        ...call(event),
        ...error.write(textOr(load['error'])),
        ...id(event),
        ...tookWritten(load),
        ...(interrupt !== undefined && { [interrupt]: load['interrupted'] === true }),
      }),
      read: (said) => ({
        ...callFrom(said),
        error: error.read(said),
        ...tookRead(said),
        ...(interrupt !== undefined && said[interrupt] === true && { interrupted: true }),
      }),
    },
    'subagent.start': {
      write: agentFields,
      read: (said) => given({ type: agentTypeIn(said) }),
    },
    'subagent.stop': {
      write: (load, event) => ({ ...stop(load), ...agentFields(load, event) }),
      read: (said) => ({ ...stopped(said), ...given({ type: agentTypeIn(said) }) }),
    },
    'turn.stop': { write: stop, read: stopped },
    'notification.sent': {
      write: (load) => ({
        message: textOr(load['message']),
        notification_type: textOr(load['kind'], usual.notification ?? 'permission_prompt'),
      }),
      read: (said) => ({
        message: textOr(either(said, 'message', 'body')),
        ...given({ kind: either(said, 'notification_type', 'notificationType') }),
      }),
    },
    'file.edited': {
      write: ({ file }) => ({ file_path: textOr(file), edits: [] }),
      read: (said) => ({ file: textOr(said['file_path']) }),
    },
    'compaction.before': asked,
    'compaction.after': compaction,
  };
}

const stop = (load: Fields): Fields => ({
  stop_hook_active: load['active'] === true,
  ...given({ last_assistant_message: load['lastMessage'] }),
});
const stopped = (native: Fields): Fields => ({
  active: either(native, 'stop_hook_active', 'stopHookActive') === true,
  ...given({
    lastMessage: either(native, 'last_assistant_message', 'lastAssistantMessage'),
    reason: either(native, 'reason', 'stop_reason'),
  }),
});

export const agentTypeIn = (native: Fields): unknown =>
  either(native, 'agent_type', 'subagentType', 'agentType', 'agent_name');

const failureIn = (native: Fields): string => {
  const found = either(native, 'errorDetails', 'error_message', 'error');
  return isFields(found) ? textOr(found['message']) : textOr(found);
};

/** Returns what the model sees of a result: a text, or parts. */
function partsOf(shown: unknown): unknown[] {
  if (shown === undefined || shown === null || shown === '') return [];
  return (Array.isArray(shown) ? (shown as unknown[]) : [shown]).map((part) =>
    typeof part === 'string' ? { type: 'text', text: part } : part,
  );
}
