/**
 * Errors of a module in its own process that no call is waiting for. They are contained there and reported to
 * the host.
 */

import type { HookFailure } from '../../events/exchange.ts';

export interface StrayError {
  /** An unhandled rejection, an uncaught exception, or the end of an idle process. */
  readonly kind: 'rejection' | 'throw' | 'end';
  readonly message: string;
  /** Index of the hook whose call caused it. Absent while loading, or if unknown. */
  readonly index?: number;
}

const WORDS: Readonly<Record<StrayError['kind'], string>> = {
  rejection: 'unhandled promise rejection',
  throw: 'uncaught exception',
  end: 'its process ended; the next event restarts it',
};
export const strayErrorText = ({ kind, message }: StrayError): string => `${WORDS[kind]}: ${message}`;

/** Reads a report of the other process, which may be hostile. */
export function strayErrorFrom(report: unknown): StrayError {
  const { kind, message, index } = (report ?? {}) as Partial<Record<keyof StrayError, unknown>>;
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
