/**
 * Calls the hooks of the synchronous path in turn, until one does not just return nothing. In a loop all of them are called
 * from one place, where V8 knows none of them: ten silent hooks take 85 ns. Written out, each has a place of its own and is
 * compiled into it: 10 ns. So hooks that are called again and again get a function of their own, from a text that is
 * made of numbers alone. Where programs may not make code from texts (`--disallow-code-generation-from-strings`), the loop stays.
 */
import type { Event } from '../canon/event.ts';
import type { HostView } from './host-view.ts';

export type SynchronousFn = (event: Event, host: HostView) => unknown;

/** The first hook that answered, promised or threw something, or in whose time the host gave up. */
export type Stop =
  | { readonly kind: 'returned'; readonly at: number; readonly value: unknown }
  | { readonly kind: 'threw'; readonly at: number; readonly error: unknown };

type Calls = (shown: Event, host: HostView, signal: AbortSignal | undefined) => Stop | undefined;

/** Before that the text would cost more than it saves. */
const OFTEN = 1000;
/** V8 takes no more into one function. */
const MOST = 32;

export class CallsInTurn {
  readonly fns: readonly SynchronousFn[];
  /** What each of them is called on. */
  readonly selves: readonly unknown[];
  #calls: Calls;

  constructor(fns: readonly SynchronousFn[], selves: readonly unknown[]) {
    this.fns = fns;
    this.selves = selves;
    this.#calls = fns.length <= MOST ? this.#counted(inLoop(fns, selves)) : inLoop(fns, selves);
  }
  /** `undefined`: nobody had anything to say. */
  make(shown: Event, host: HostView, signal: AbortSignal | undefined): Stop | undefined {
    return this.#calls(shown, host, signal);
  }
  /** Who has been counted is counted no more: it would cost every fire as much as a hook. */
  #counted(loop: Calls): Calls {
    let times = 0;
    return (shown, host, signal) => {
      if (times++ === OFTEN) this.#calls = writtenOut(this.fns, this.selves) ?? loop;
      return loop(shown, host, signal);
    };
  }
  /** For who goes on after a stop. */
  one(at: number, shown: Event, host: HostView): unknown {
    return Reflect.apply(this.fns[at]!, this.selves[at], [shown, host]);
  }
}

const inLoop =
  (fns: readonly SynchronousFn[], selves: readonly unknown[]): Calls =>
  (shown, host, signal) => {
    let at = 0;
    try {
      for (; at < fns.length; at++) {
        const value = Reflect.apply(fns[at]!, selves[at], [shown, host]);
        if (value !== undefined || signal?.aborted === true) return { kind: 'returned', at, value };
      }
    } catch (error) {
      return { kind: 'threw', at, error };
    }
    return undefined;
  };

function writtenOut(fns: readonly SynchronousFn[], selves: readonly unknown[]): Calls | undefined {
  const names = (letter: string) => fns.map((_, at) => `${letter}${at}`).join(', ');
  const calls = fns.map(
    (_, at) => `at = ${at};
      value = Reflect.apply(f${at}, s${at}, [shown, host]);
      if (value !== undefined || signal?.aborted === true) return { kind: 'returned', at, value };`,
  );
  const text = `'use strict';
  const [${names('f')}] = fns;
  const [${names('s')}] = selves;
  return (shown, host, signal) => {
    let at, value;
    try {
      ${calls.join('\n      ')}
    } catch (error) {
      return { kind: 'threw', at, error };
    }
  };
  //# sourceURL=anyhook:calls-in-turn`;
  try {
    return new Function('fns', 'selves', text)(fns, selves) as Calls;
  } catch {
    return undefined;
  }
}
