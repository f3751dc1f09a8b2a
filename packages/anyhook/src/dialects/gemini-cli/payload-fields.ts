/** The fields of one event in Gemini's words, and back. One line per event that is ours too. */
import { isPlain } from '../../canon/changes.ts';
import { contentText } from '../../canon/content.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import { callIn } from '../../canon/lexicon.ts';
import {
  callFrom,
  given,
  PROMPT_TRANSLATION,
  SESSION_TRANSLATIONS,
  textOr,
  type Translations,
} from '../claude-shaped/translation.ts';
import { tools } from './tools.ts';

const call = (event: Event): Fields => {
  const { tool, input } = callIn(tools, event);
  return { tool_name: tool, tool_input: input };
};
const response = (shown: string, error?: string): Fields => ({
  llmContent: shown,
  returnDisplay: shown,
  ...(error !== undefined && { error: { message: error, type: 'unknown' } }),
});

export const GEMINI_TRANSLATIONS: Translations = {
  ...SESSION_TRANSLATIONS,
  'prompt.submit': PROMPT_TRANSLATION,
  'tool.before': { write: (_, event) => call(event), read: callFrom },
  'tool.after': {
    write: (load, event) => ({ ...call(event), tool_response: response(contentText(load['content'])) }),
    read: (said) => ({
      ...callFrom(said),
      content: contentOf(said['tool_response']),
      ...given({ details: said['tool_response'] }),
    }),
  },
  'tool.failed': {
    write: (load, event) => {
      const error = textOr(load['error']);
      return { ...call(event), tool_response: response(error, error) };
    },
    read: (said) => ({ ...callFrom(said), error: errorIn(said['tool_response']) ?? '' }),
  },
  'turn.stop': {
    write: (load) => ({
      prompt: '',
      prompt_response: textOr(load['lastMessage']),
      stop_hook_active: load['active'] === true,
    }),
    read: (said) => ({
      active: said['stop_hook_active'] === true,
      ...given({ lastMessage: said['prompt_response'] }),
    }),
  },
  'notification.sent': {
    write: (load) => ({
      notification_type: textOr(load['kind'], 'ToolPermission'),
      message: textOr(load['message']),
      details: {},
    }),
    read: (said) => ({ message: textOr(said['message']), ...given({ kind: said['notification_type'] }) }),
  },
  'compaction.before': {
    write: (load) => ({ trigger: textOr(load['trigger'], 'auto') }),
    read: (said) => ({ trigger: textOr(said['trigger'], 'auto') }),
  },
};

/** Why the tool failed, if it did; an exit code of a shell is no failure to Gemini. */
export function errorIn(response: unknown): string | undefined {
  const error = isPlain(response) ? response['error'] : undefined;
  if (error === undefined || error === null) return undefined;
  return isPlain(error) ? textOr(error['message'], JSON.stringify(error)) : String(error);
}

/** What the model is shown of it: a text, a part, or a list of parts. */
function contentOf(response: unknown): unknown[] {
  const shown = isPlain(response) ? response['llmContent'] : response;
  if (shown === undefined || shown === null) return [];
  return (Array.isArray(shown) ? shown : [shown]).map((part: unknown) => {
    if (typeof part === 'string') return { type: 'text', text: part };
    return isPlain(part) && typeof part['text'] === 'string' ? { type: 'text', text: part['text'] } : part;
  });
}
