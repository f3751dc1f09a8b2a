/**
 * What background hooks say in the end reaches the model with the next event of their session that can carry it. In this
 * program it waits in memory; when the program ends, and when it has ended before the hook did, it waits on disk.
 */
import type { Capabilities, Grades } from '../../canon/capabilities.ts';
import type { Event } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import type { Ruling, Run } from '../../canon/outcome.ts';
import { atExit } from '../../runners/at-exit.ts';
import { polled } from '../../settings/polled.ts';
import type { LateText, LateWords } from './late-words.ts';

const PER_SESSION = 100;
const REMEMBERED = 1000;
/** How long words that another program left go unnoticed: looking costs more than a fire. */
const LOOK_EVERY_MS = 1000;

interface Waiting {
  readonly key: string;
  readonly text: LateText;
}

export interface LateOptions {
  readonly can: Capabilities;
  readonly words: LateWords;
  /** A text has come or was handed out, so which events are worth firing may have changed. */
  readonly onChange: () => void;
  /** The last look at the disk is old: another program may have left texts there since. */
  readonly onStale: () => void;
  /** false: texts go to disk at once, as another program may fire the next event. */
  readonly isKept: boolean;
}

export function makeLate({ can, words, onChange, onStale, isKept }: LateOptions) {
  const waiting = new Map<string, readonly Waiting[]>();
  let forget: (() => void) | undefined;
  let isClosed = false;
  let isAnyLeft = words.any();
  const isAnyOnDisk = isKept ? polled(() => words.any(), onStale, LOOK_EVERY_MS) : () => isAnyLeft;
  const isNothingWaiting = () => waiting.size === 0 && !isAnyOnDisk();

  function leaveAll(): void {
    for (const [session, list] of waiting)
      for (const { key, text } of list) words.leave(session, key, [text]);
    waiting.clear();
    settle();
  }
  /** Registers for the end of the program while texts wait, and only then. */
  function settle(): void {
    if (waiting.size > 0) forget ??= atExit(leaveAll);
    else {
      forget?.();
      forget = undefined;
    }
  }
  const gradesAt = (name: EventName): Grades => can[name] ?? {};
  function take(session: string, fits: (text: LateText) => boolean): LateText[] {
    const left = isAnyOnDisk() ? words.take(session, fits) : [];
    const own = waiting.get(session);
    if (own === undefined) return left;
    const rest = own.filter(({ text }) => !fits(text));
    if (rest.length === 0) waiting.delete(session);
    else waiting.set(session, rest);
    settle();
    return [...left, ...own.flatMap(({ text }) => (fits(text) ? [text] : []))];
  }

  return {
    heard(run: Run, event: Event): void {
      const texts = textsOf(run);
      if (texts.length === 0) return;
      const { session } = event.ids;
      if (waiting.size >= REMEMBERED && !waiting.has(session)) leaveAll();
      const fresh = texts.map((text) => ({ key: run.late ?? '', text }));
      waiting.set(session, [...(waiting.get(session) ?? []), ...fresh].slice(-PER_SESSION));
      if (isClosed || !isKept) leaveAll();
      else settle();
      onChange();
    },
    /** What others have left meanwhile counts from now on. */
    lookAgain(): void {
      const before = isAnyLeft;
      isAnyLeft = words.any();
      if (isAnyLeft !== before) onChange();
    },
    isNothingWaiting,
    /** Something waits, and this event could carry it. */
    waitsFor(name: EventName): boolean {
      const { context, notice } = gradesAt(name);
      return (context !== undefined || notice !== undefined) && !isNothingWaiting();
    },
    join(outcome: Ruling, event: Event): Ruling {
      if (outcome.verdict === 'deny' || isNothingWaiting()) return outcome;
      const { context, notice } = gradesAt(event.name);
      if (context === undefined && notice === undefined) return outcome;
      const said = take(event.ids.session, ({ to }) => (to === 'model' ? context : notice) !== undefined);
      if (said.length === 0) return outcome;
      onChange();
      return { ...outcome, said: [...said, ...outcome.said] };
    },
    close(): void {
      isClosed = true;
      leaveAll();
    },
  };
}

/** For the model or the person; nothing else that comes so late can be done. */
export const textsOf = ({ hook, answer }: Run): LateText[] =>
  (answer?.effects ?? []).flatMap((effect) =>
    effect.kind === 'context' || effect.kind === 'notice'
      ? [
          {
            by: hook,
            to: effect.kind === 'context' ? ('model' as const) : ('person' as const),
            text: effect.text,
          },
        ]
      : [],
  );
