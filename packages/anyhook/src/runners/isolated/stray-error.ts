/** What a module in its own process does where nobody listens, and nobody waits: contained there, and told to its host. */
import type { HookFailure } from '../../events/exchange.ts';

export interface StrayError {
  /** A promise that was rejected, a throw outside of any promise, or the end of the idle process. */
  readonly kind: 'rejection' | 'throw' | 'end';
  readonly message: string;
  /** The hook in whose call it began, by its place; none: while the module was loaded, or nobody knows. */
  readonly index?: number;
}

const WORDS: Readonly<Record<StrayError['kind'], string>> = {
  rejection: 'a promise was rejected and nobody listened',
  throw: 'threw where nobody could catch it',
  end: 'ended its process; the next event starts it again',
};
export const strayErrorText = ({ kind, message }: StrayError): string => `${WORDS[kind]}: ${message}`;

/** Said by the other process, which may be hostile. */
export function strayErrorFrom(said: unknown): StrayError {
  const { kind, message, index } = (said ?? {}) as Partial<Record<keyof StrayError, unknown>>;
  return {
    kind: kind === 'throw' ? 'throw' : 'rejection',
    message: String(message).slice(0, 1000),
    ...(Number.isSafeInteger(index) && { index: index as number }),
  };
}

export const endOfProcess = ({ kind, detail }: HookFailure): StrayError => ({
  kind: 'end',
  message: detail ?? kind,
});
