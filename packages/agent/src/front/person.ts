/**
 * The user as the agent sees them: a terminal, or a program that drives the agent. `nobody` answers every question
 * with no.
 */

import type { Services } from 'anyhook';

/** Dialogs that hooks may open, as defined by the library. */
export type Dialogs = NonNullable<Services['ui']>;

export interface PermissionQuestion {
  readonly tool: string;
  /** The input that will run, after all hooks have changed it. */
  readonly input: Readonly<Record<string, unknown>>;
  /** One line: `shell: rm -rf build`. */
  readonly title: string;
  /** Why permission is needed, in the words of a hook or a rule. */
  readonly reasons: readonly string[];
  /** The rule that `always` adds for this session. */
  readonly rule: string;
  /** Fields that hooks changed. */
  readonly changed: readonly string[];
}
/** `no` carries a message for the model. */
export type Permission = 'once' | 'always' | 'deny' | { readonly no: string };

export interface Person {
  /** Whether a user can answer. If not, every question is answered with no. */
  readonly isThere: boolean;
  permit(question: PermissionQuestion, signal: AbortSignal): Promise<Permission>;
  /** Dialogs for hooks. Without them, hooks get the documented no-ops. */
  readonly dialogs?: Dialogs;
}

/** For runs without a terminal: denies every request. */
export const nobody: Person = { isThere: false, permit: async () => 'deny' };
