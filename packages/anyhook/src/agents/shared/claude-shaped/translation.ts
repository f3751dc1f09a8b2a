/** Building blocks for payload translations that several dialects share. */

import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import { textsIn } from '../../../events/texts-in.ts';

/** Translates the fields of one event to the dialect and back. */
export interface Translation {
  readonly write: (load: Fields, event: Event) => Fields;
  readonly read: (native: Fields) => Fields;
}
export type Translations = { readonly [E in EventName]?: Translation };

/** Returns the translated fields of an event. Events without a row in the dialect keep their original fields. */
export function translated(translations: Translations, event: Event): Fields {
  const load = event.payload as Fields;
  const { body } = load;
  return translations[event.name]?.write(load, event) ?? (isPlain(body) ? body : {});
}

export const textOr = (value: unknown, otherwise = ''): string =>
  typeof value === 'string' ? value : otherwise;

/** Returns a non-empty string field. */
export const textIn = (fields: Fields, key: string): string | undefined =>
  typeof fields[key] === 'string' && fields[key].trim() !== '' ? fields[key] : undefined;

/** Leaves out fields that are undefined or null. */
export const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** Returns a call in our format. Arguments that are not an object are kept, because a guard must see them. */
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

/** Returns the ids and location of an event. `cwd` is used if the payload has none. */
export const frameFrom = (native: Fields, cwd = ''): Pick<Event, 'ids' | 'scene'> => ({
  ids: {
    session: textOr(native['session_id']),
    ...textsIn({ agent: native['agent_id'], call: native['tool_use_id'] }),
  },
  scene: {
    cwd: textOr(native['cwd'], cwd),
    ...textsIn({
      model: native['model'],
      transcript: native['transcript_path'],
      mode: native['permission_mode'],
      agentType: native['agent_type'],
    }),
  },
});
