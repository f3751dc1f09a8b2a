import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';

/** The id of the part at an index of a message: equal in hooks, on the bus and in the client. */
export const partId = (message: string, place: number): string =>
  `prt_${message.replace(/^msg_/, '')}_${place}`;

/** The id of a part in the conversation. A host that numbers its parts sends the index. */
export function partIdOf({ part }: Fields, { ids: { message } }: Event): string {
  const id = String(part ?? '');
  return message !== undefined && /^\d+$/.test(id) ? partId(message, Number(id)) : id;
}
