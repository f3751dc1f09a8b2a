/** Whom the agent asks. The terminal is one, a program that drives the agent another; `nobody` answers no. */
import type { Services } from 'anyhook';

/** What hooks may ask through, as the library has it. */
export type Dialogs = NonNullable<Services['ui']>;

export interface PermissionQuestion {
  readonly tool: string;
  /** What would really run, after every hook has changed it. */
  readonly input: Readonly<Record<string, unknown>>;
  /** One line: `shell: rm -rf build`. */
  readonly title: string;
  /** Why it is asked: the words of a hook or of a rule. */
  readonly reasons: readonly string[];
  /** The rule that `always` adds for this session. */
  readonly rule: string;
  /** Fields that hooks changed: worth a second look. */
  readonly changed: readonly string[];
}
/** `no`: with words of the person that the model hears. */
export type Permission = 'once' | 'always' | 'deny' | { readonly no: string };

export interface Person {
  /** Is there somebody to ask? Without one every question is answered no. */
  readonly isThere: boolean;
  permit(question: PermissionQuestion, signal: AbortSignal): Promise<Permission>;
  /** Dialogs for hooks; without them hooks get the documented no-ops. */
  readonly dialogs?: Dialogs;
}

/** For runs without a terminal: asked, it says no. */
export const nobody: Person = { isThere: false, permit: async () => 'deny' };
