/** What translations of payloads are made of, and the lines that several dialects have alike. */
import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import { textsIn } from '../../../events/texts-in.ts';

/** One event's fields in a dialect's words, and back. */
export interface Translation {
  readonly write: (load: Fields, event: Event) => Fields;
  readonly read: (said: Fields) => Fields;
}
export type Translations = { readonly [E in EventName]?: Translation };

/** The fields of an event; of one that the dialect has no row for, what it came with. */
export function translated(translations: Translations, event: Event): Fields {
  const load = event.payload as Fields;
  const { body } = load;
  return translations[event.name]?.write(load, event) ?? (isPlain(body) ? body : {});
}

export const textOr = (value: unknown, otherwise = ''): string =>
  typeof value === 'string' ? value : otherwise;

/** A field that says something. */
export const textIn = (fields: Fields, key: string): string | undefined =>
  typeof fields[key] === 'string' && fields[key].trim() !== '' ? fields[key] : undefined;

/** Leaves out fields that are undefined or null. */
export const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** A call as hooks of ours know it. Arguments that are no object must not get lost on the way to a guard. */
export const callFrom = ({ tool_name, tool_input }: Fields): Fields => ({
  tool: textOr(tool_name),
  input: isPlain(tool_input) ? tool_input : tool_input === undefined ? {} : { value: tool_input },
});

export const SESSION_TRANSLATIONS = {
  'session.start': {
    write: (load) => ({ source: textOr(load['source'], 'startup') }),
    read: ({ source }) => given({ source }),
  },
  'session.end': {
    write: (load) => ({ reason: textOr(load['reason'], 'other') }),
    read: ({ reason }) => given({ reason }),
  },
} satisfies Translations;

/** Whose event it is and where it happened. `cwd`: where it did when the payload does not say. */
export const frameFrom = (said: Fields, cwd = ''): Pick<Event, 'ids' | 'scene'> => ({
  ids: {
    session: textOr(said['session_id']),
    ...textsIn({ agent: said['agent_id'], call: said['tool_use_id'] }),
  },
  scene: {
    cwd: textOr(said['cwd'], cwd),
    ...textsIn({
      model: said['model'],
      transcript: said['transcript_path'],
      mode: said['permission_mode'],
      agentType: said['agent_type'],
    }),
  },
});
