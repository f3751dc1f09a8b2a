/**
 * Handles errors of in-process modules that no call is waiting for: a forgotten promise, a throw in a timer.
 * They would end the program. A program that opts in survives them and gets the module's name. Other handlers
 * are not changed.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { describeThrown } from './thrown.mjs';

export interface ErrorOwner {
  /** Display name of the module. */
  readonly file: string;
  /** The hook whose call caused it. Absent while the module is loaded. */
  readonly hook?: string;
}
type StrayListener = (owner: ErrorOwner, text: string) => void;

const running = new AsyncLocalStorage<ErrorOwner>();
const listeners = new Set<StrayListener>();
/** By file, for errors that lost their async context. */
const known = new Map<string, ErrorOwner>();

/** Runs a function and attributes everything that it causes to the owner, however late. */
export type RunOwned = <T>(owner: ErrorOwner, run: () => T) => T;
const owned: RunOwned = (owner, run) => {
  known.set(owner.file, known.get(owner.file) ?? { file: owner.file });
  return running.run(owner, run);
};

/**
 * Stays active until the program ends, because a forgotten promise may reject after everything was closed.
 * Covers code that runs through the returned function.
 */
export function surviveStrayErrors(listener: StrayListener): RunOwned {
  if (listeners.size === 0)
    process
      .on('unhandledRejection', (error) => {
        if (!isReported(error, 'unhandled promise rejection')) throw error; // the default behaviour
      })
      .on('uncaughtException', (error) => {
        if (!isReported(error, 'uncaught exception')) endProgram(error);
      })
      .on('exit', reportExit);
  listeners.add(listener);
  return owned;
}

function isReported(error: unknown, what: string): boolean {
  const { message, stack = '' } = describeThrown(error);
  const owner = running.getStore() ?? [...known].find(([file]) => stack.includes(file))?.[1];
  if (owner === undefined) return false;
  for (const listener of listeners) listener(owner, `${what}: ${message}`);
  return true;
}

/**
 * `process.exit` in a module cannot be prevented. Prints who called it, synchronously, because nothing is
 * printed later.
 */
function reportExit(): void {
  const { file, hook } = running.getStore() ?? {};
  if (file !== undefined)
    writeSync(2, `anyhook: ${file}${hook === undefined ? '' : ` (${hook})`} ended the program\n`);
}

/** An error of the program itself ends it as usual, unless the program has its own handler. */
function endProgram(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return;
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
}
