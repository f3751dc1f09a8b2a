import type { Log } from '../../../events/services.ts';
import { thrownLine } from './thrown-line.ts';
import type { HookError, HookErrorListener } from './types/index.ts';

export interface ErrorListeners {
  /** Returns what takes the listener away again. */
  add(listener: HookErrorListener): () => void;
  /** Everybody hears it, also after one who throws; where nobody listens it goes to the host's log. */
  tell(error: HookError): void;
}

export function errorListeners(log: () => Log | undefined): ErrorListeners {
  const listeners = new Set<HookErrorListener>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(error) {
      for (const listener of listeners)
        try {
          listener(error);
        } catch (thrown) {
          log()?.('error', `an error listener failed: ${thrownLine(thrown)}`);
        }
      if (listeners.size === 0) log()?.('warn', `${error.hookPath}: ${error.event}: ${error.error}`);
    },
  };
}
