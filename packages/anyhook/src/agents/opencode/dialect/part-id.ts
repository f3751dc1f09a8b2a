import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';

/** Of the part at a place of a message: the same in hooks, on the bus and for the client. */
export const partId = (message: string, place: number): string =>
  `prt_${message.replace(/^msg_/, '')}_${place}`;

/** As the part is called in the conversation: a host that counts its parts says their place. */
export function partIdOf({ part }: Fields, { ids: { message } }: Event): string {
  const said = String(part ?? '');
  return message !== undefined && /^\d+$/.test(said) ? partId(message, Number(said)) : said;
}
