/** Translates the payload fields of each common event to these agents' format and back. */

import { contentText } from '../../../events/content.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { isFields } from '../../../events/fields.ts';
import { callIn } from '../../../events/lexicon.ts';
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
  read: (value) => textOr(value),
};

const PLAIN_ERROR: NonNullable<PayloadSpelling['error']> = {
  write: (text) => ({ error: text }),
  read: (native) => textOr(native['error']),
};

export const translationsFor = (spelling: PayloadSpelling, tools: ToolColumn): Translations => ({
  ...SESSION_TRANSLATIONS,
  'session.error': {
    write: (load) => ({ error: textOr(load['message']) }),
    read: (native) => ({ message: failureIn(native) }),
  },
  ...promptTranslations(spelling),
  ...callTranslations(spelling, tools),
  ...resultTranslations(spelling, tools),
  ...subagentTranslations(spelling),
  'turn.stop': { write: stop, read: stopped },
  'notification.sent': notificationTranslation(spelling),
  'file.edited': {
    write: ({ file }) => ({ file_path: textOr(file), edits: [] }),
    read: (native) => ({ file: textOr(native['file_path']) }),
  },
  ...compactionTranslations(spelling),
});

const promptTranslations = ({ prompt = PLAIN_PROMPT }: PayloadSpelling): Translations => ({
  'prompt.submit': {
    write: (load) => ({ prompt: prompt.write(textOr(load['prompt'])) }),
    read: (native) => ({ prompt: prompt.read(native['prompt']) }),
  },
});

function callWritten(event: Event, tools: ToolColumn): Fields {
  const { tool, input } = callIn(tools, event);
  return { tool_name: tool, tool_input: input };
}

const callIdWritten = ({ ids }: Event, { callId }: PayloadSpelling): Fields =>
  callId === null || ids.call === undefined ? {} : { [callId]: ids.call };

/** Before a tool runs, or when it does not run. */
const callTranslations = (spelling: PayloadSpelling, tools: ToolColumn): Translations => ({
  'tool.before': {
    write: (_, event) => ({ ...callWritten(event, tools), ...callIdWritten(event, spelling) }),
    read: callFrom,
  },
  'tool.permission': { write: (_, event) => callWritten(event, tools), read: callFrom },
  'tool.denied': {
    write: (load, event) => ({
      ...callWritten(event, tools),
      ...callIdWritten(event, spelling),
      ...given({ reason: load['reason'] }),
    }),
    read: (native) => ({ ...callFrom(native), reason: textOr(native['reason']) }),
  },
});

/** After a tool has run. */
function resultTranslations(spelling: PayloadSpelling, tools: ToolColumn): Translations {
  const { result, error = PLAIN_ERROR, known = {} } = spelling;
  const { duration, interrupt } = known;
  const durationWritten = (load: Fields): Fields =>
    duration === undefined ? {} : given({ [duration]: load['durationMs'] });
  const durationRead = (native: Fields): Fields =>
    duration === undefined ? {} : given({ durationMs: native[duration] });
  return {
    'tool.after': {
      write: (load, event) => ({
        ...callWritten(event, tools),
        ...result.write(contentText(load['content'])),
        ...callIdWritten(event, spelling),
        ...durationWritten(load),
      }),
      read: (native) => ({
        ...callFrom(native),
        content: partsOf(result.read(native)),
        ...(result.details !== undefined && given({ details: native[result.details] })),
        ...durationRead(native),
      }),
    },
    'tool.failed': {
      write: (load, event) => ({
        ...callWritten(event, tools),
        ...error.write(textOr(load['error'])),
        ...callIdWritten(event, spelling),
        ...durationWritten(load),
        ...(interrupt !== undefined && { [interrupt]: load['interrupted'] === true }),
      }),
      read: (native) => ({
        ...callFrom(native),
        error: error.read(native),
        ...durationRead(native),
        ...(interrupt !== undefined && native[interrupt] === true && { interrupted: true }),
      }),
    },
  };
}

function subagentTranslations({ usual = {} }: PayloadSpelling): Translations {
  const agentFields = (load: Fields, { ids, scene }: Event): Fields => ({
    agent_id: ids.agent ?? '',
    agent_type: textOr(load['type'], scene.agentType ?? usual.agentType ?? 'general-purpose'),
  });
  return {
    'subagent.start': {
      write: agentFields,
      read: (native) => given({ type: agentTypeIn(native) }),
    },
    'subagent.stop': {
      write: (load, event) => ({ ...stop(load), ...agentFields(load, event) }),
      read: (native) => ({ ...stopped(native), ...given({ type: agentTypeIn(native) }) }),
    },
  };
}

const notificationTranslation = ({ usual = {} }: PayloadSpelling): Translation => ({
  write: (load) => ({
    message: textOr(load['message']),
    notification_type: textOr(load['kind'], usual.notification ?? 'permission_prompt'),
  }),
  read: (native) => ({
    message: textOr(either(native, 'message', 'body')),
    ...given({ kind: either(native, 'notification_type', 'notificationType') }),
  }),
});

function compactionTranslations({ trigger, known = {} }: PayloadSpelling): Translations {
  const { instructions } = known;
  const compaction: Translation = {
    write: (load) => ({ [trigger]: textOr(load['trigger'], 'auto') }),
    read: (native) => ({ trigger: textOr(native[trigger], 'auto') }),
  };
  return {
    'compaction.before': {
      write: (load, event) => ({
        ...compaction.write(load, event),
        ...(instructions !== undefined && { [instructions]: textOr(load['instructions']) }),
      }),
      read: (native) => {
        const text = instructions === undefined ? '' : textOr(native[instructions]);
        return { ...compaction.read(native), ...(text !== '' && { instructions: text }) };
      },
    },
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
