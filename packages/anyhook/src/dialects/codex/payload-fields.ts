/** The fields of one event in Codex's words, and back. One line per event that is ours too. */
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
  type Translation,
  type Translations,
} from '../claude-shaped/translation.ts';
import { tools } from './tools.ts';

const call = (event: Event): Fields => {
  const { tool, input } = callIn(tools, event);
  return { tool_name: tool, tool_input: input };
};
const useId = ({ ids }: Event): Fields => ({ tool_use_id: ids.call ?? '' });
const stop = (load: Fields): Fields => ({
  stop_hook_active: load['active'] === true,
  last_assistant_message: load['lastMessage'] ?? null,
});
const stopped = (said: Fields): Fields => ({
  active: said['stop_hook_active'] === true,
  ...given({ lastMessage: said['last_assistant_message'] }),
});
const trigger: Translation = {
  write: (load) => ({ trigger: textOr(load['trigger'], 'auto') }),
  read: (said) => ({ trigger: textOr(said['trigger'], 'auto') }),
};

export const CODEX_TRANSLATIONS: Translations = {
  ...SESSION_TRANSLATIONS,
  'prompt.submit': PROMPT_TRANSLATION,
  'tool.before': { write: (_, event) => ({ ...call(event), ...useId(event) }), read: callFrom },
  'tool.permission': { write: (_, event) => call(event), read: callFrom },
  'tool.after': {
    write: (load, event) => ({
      ...call(event),
      tool_response: contentText(load['content']),
      ...useId(event),
    }),
    read: (said) => ({ ...callFrom(said), content: contentOf(said['tool_response']) }),
  },
  'subagent.start': {
    write: (load, { ids, scene }) => ({
      agent_id: ids.agent ?? '',
      agent_type: textOr(load['type'], scene.agentType ?? 'default'),
    }),
    read: (said) => given({ type: said['agent_type'] }),
  },
  'subagent.stop': {
    write: (load, { ids, scene }) => ({
      ...stop(load),
      agent_id: ids.agent ?? '',
      agent_type: textOr(load['type'], scene.agentType ?? 'default'),
      agent_transcript_path: null,
    }),
    read: (said) => ({ ...stopped(said), ...given({ type: said['agent_type'] }) }),
  },
  'turn.stop': { write: stop, read: stopped },
  'compaction.before': trigger,
  'compaction.after': trigger,
};

/** `tool_response` is one text; of an MCP tool it is what the server sent. */
function contentOf(response: unknown): unknown[] {
  if (response === undefined || response === null) return [];
  if (Array.isArray(response)) return response;
  if (isPlain(response) && Array.isArray(response['content'])) return response['content'];
  return [{ type: 'text', text: typeof response === 'string' ? response : JSON.stringify(response) }];
}
