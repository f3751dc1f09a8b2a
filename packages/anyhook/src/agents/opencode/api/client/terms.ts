import type { Project } from '@opencode-ai/sdk';
import type { Fields } from '../../../../events/effects.ts';
import type { Services } from '../../../../events/services.ts';
import type { CredentialStore } from '../auth/store.ts';

/** Services of the host for the plugins' client. Everything except the folders is optional. */
export interface ClientTerms {
  readonly services: Services;
  readonly directory: string;
  readonly worktree: string;
  readonly project?: Project;
  /** Returns the id of the current session. */
  readonly session?: () => string | undefined;
  /** Returns undefined if the settings are not known yet. */
  readonly config?: () => Fields | undefined;
  /** The store for `client.auth.set`. */
  readonly credentials?: CredentialStore;
  /** Returns whether the question was still open. */
  readonly replyToPermission?: (
    permission: string,
    answer: 'once' | 'always' | 'reject',
    session?: string,
  ) => Promise<boolean>;
  /** Subscribes to every event of the host, and returns an unsubscribe function. */
  readonly subscribe?: (listener: (event: Fields) => void) => () => void;
  /** Called as soon as a plugin opens the event stream. */
  readonly onFollow?: () => void;
}
