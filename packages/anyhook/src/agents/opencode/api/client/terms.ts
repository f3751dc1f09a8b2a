import type { Project } from '@opencode-ai/sdk';
import type { Fields } from '../../../../events/effects.ts';
import type { Services } from '../../../../events/services.ts';
import type { CredentialStore } from '../auth/store.ts';

/** What the host lends to the plugins' client. Everything beyond the folders is optional. */
export interface ClientTerms {
  readonly services: Services;
  readonly directory: string;
  readonly worktree: string;
  readonly project?: Project;
  /** The id of the session that runs now. */
  readonly session?: () => string | undefined;
  /** None: nobody has said it yet. */
  readonly config?: () => Fields | undefined;
  /** Where `client.auth.set` keeps what it is given. */
  readonly credentials?: CredentialStore;
  /** Whether that question was still open. */
  readonly replyToPermission?: (
    permission: string,
    answer: 'once' | 'always' | 'reject',
    session?: string,
  ) => Promise<boolean>;
  /** Every event of the host; returns how to stop. */
  readonly subscribe?: (listener: (event: Fields) => void) => () => void;
  /** Told at once when a plugin asks for the stream of events. */
  readonly onFollow?: () => void;
}
