import { EVENT_NAMES, type EventName } from '../../canon/events.ts';

/** Our event → a dialect's words, read off its table of rows; `null`: it fires nothing then. */
export const wordsByMoment = <W extends string>(
  all: readonly W[],
  standsFor: (word: W, name: EventName) => boolean,
): Readonly<Record<EventName, readonly W[] | null>> =>
  Object.freeze(
    Object.fromEntries(
      EVENT_NAMES.map((name) => {
        const theirs = all.filter((word) => standsFor(word, name));
        return [name, theirs.length === 0 ? null : Object.freeze(theirs)];
      }),
    ),
  ) as Readonly<Record<EventName, readonly W[] | null>>; // EVENT_NAMES are all of them
