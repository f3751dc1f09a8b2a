/**
 * A hook that fires hooks. Asked about the very call it is being asked about, it would wait for itself; others may be
 * nested, but not without end. Counted by hand: following every await would cost each fire more than its hooks.
 */
import type { EventInput } from '../../canon/event.ts';

const DEEPEST = 8;
/** A hook that fires after an `await` is not counted in the depth: this limit on events under way ends such a loop. */
const AT_ONCE = 10_000;

export interface Nesting {
  /** Why this event is not fired. Empty: it is, and `leave` must be called when it is over. */
  enter(input: EventInput): string;
  leave(input: EventInput): void;
  /** Before and after hooks are called: what they fire meanwhile is one level deeper. Not held while they are awaited. */
  down(): void;
  up(): void;
}

export function makeNesting(limits = { deepest: DEEPEST, atOnce: AT_ONCE }): Nesting {
  const asked = new Set<string>();
  let depth = 0;
  let underWay = 0;
  // Apart, as what is rare is everywhere on the way of a silent fire: V8 takes short functions into one another.
  const tooMany = () =>
    depth >= limits.deepest
      ? `hooks fired from within hooks, ${depth} levels deep`
      : `${underWay} events are under way at once`;
  const askAbout = (input: EventInput, call: string) => {
    const key = keyOf(input);
    if (asked.has(key)) return `hooks are being asked about this very ${input.name} (${call})`;
    asked.add(key);
    return '';
  };
  return {
    enter(input) {
      const why =
        depth >= limits.deepest || underWay >= limits.atOnce
          ? tooMany()
          : input.ids?.call === undefined
            ? ''
            : askAbout(input, input.ids.call);
      if (why === '') underWay++;
      return why;
    },
    leave(input) {
      underWay--;
      if (input.ids?.call !== undefined) asked.delete(keyOf(input));
    },
    down: () => void depth++,
    up: () => void depth--,
  };
}

const keyOf = ({ name, ids }: EventInput): string =>
  `${name}\0${ids?.session ?? ''}\0${ids?.agent ?? ''}\0${ids?.call ?? ''}`;
