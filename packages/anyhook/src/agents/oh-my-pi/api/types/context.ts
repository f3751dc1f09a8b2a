import type { ReadonlySessionManager, SessionManager } from './session.ts';
import type { HookUIContext } from './ui.ts';

/** The second argument of every event handler. */
export interface HookContext {
  ui: HookUIContext;
  hasUI: boolean;
  cwd: string;
  sessionManager: ReadonlySessionManager;
  /** The host's own. */
  modelRegistry: unknown;
  model: unknown;
  isIdle(): boolean;
  /** Returns immediately. */
  abort(): void;
  hasQueuedMessages(): boolean;
}

/** Commands may also control the session. From inside an event these methods could wait for themselves. */
export interface HookCommandContext extends HookContext {
  waitForIdle(): Promise<void>;
  newSession(options?: {
    parentSession?: string | undefined;
    setup?: ((sessionManager: SessionManager) => Promise<void>) | undefined;
  }): Promise<{ cancelled: boolean }>;
  branch(entryId: string): Promise<{ cancelled: boolean }>;
  navigateTree(targetId: string, options?: { summarize?: boolean }): Promise<{ cancelled: boolean }>;
}
