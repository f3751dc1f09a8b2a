/**
 * What a module in this process does where nobody listens: a forgotten promise, a throw in a timer. It would end the
 * program. A program that says so survives it and is told whose it was; nobody else's handlers are touched.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { describeThrown } from './thrown.mjs';

export interface ErrorOwner {
  /** The module, as people know it. */
  readonly file: string;
  /** In whose call it began; none: while the module was loaded. */
  readonly hook?: string;
}
type Heard = (owner: ErrorOwner, text: string) => void;

const running = new AsyncLocalStorage<ErrorOwner>();
const listeners = new Set<Heard>();
/** By their files, for what keeps no trace of its call. */
const known = new Map<string, ErrorOwner>();

/** Runs it, and remembers whose everything is that comes of it, however late. */
export type RunOwned = <T>(owner: ErrorOwner, run: () => T) => T;
const owned: RunOwned = (owner, run) => {
  known.set(owner.file, known.get(owner.file) ?? { file: owner.file });
  return running.run(owner, run);
};

/**
 * From now on, for as long as the program runs: what a module forgets may come after everything was closed. Survived is
 * what comes of code that was run by the function that this returns.
 */
export function surviveStrayErrors(heard: Heard): RunOwned {
  if (listeners.size === 0)
    process
      .on('unhandledRejection', (error) => {
        if (!isHeard(error, 'a promise was rejected and nobody listened')) throw error; // as without us
      })
      .on('uncaughtException', (error) => {
        if (!isHeard(error, 'threw where nobody could catch it')) endProgram(error);
      })
      .on('exit', sayWhoEnded);
  listeners.add(heard);
  return owned;
}

function isHeard(error: unknown, what: string): boolean {
  const { message, stack = '' } = describeThrown(error);
  const owner = running.getStore() ?? [...known].find(([file]) => stack.includes(file))?.[1];
  if (owner === undefined) return false;
  for (const heard of listeners) heard(owner, `${what}: ${message}`);
  return true;
}

/** `process.exit` in a module cannot be stopped. It is said whose it was, at once: nothing else is said any more. */
function sayWhoEnded(): void {
  const { file, hook } = running.getStore() ?? {};
  if (file !== undefined)
    writeSync(2, `anyhook: ${file}${hook === undefined ? '' : ` (${hook})`} ended the program\n`);
}

/** Nobody's module: a fault of the program itself, which ends it as if nobody listened, unless it listens itself. */
function endProgram(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return;
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
}
