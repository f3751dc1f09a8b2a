import type { Message } from './message.ts';

export const VERSION = 1;

/** The first line of a session file. */
export interface Header {
  readonly type: 'session';
  readonly version: number;
  readonly id: string;
  readonly cwd: string;
  readonly timestamp: string;
  /** The session that this one was branched from or is a subagent of. */
  readonly parentSession?: string;
}

interface Kinds {
  message: { readonly message: Message };
  /** Data of a hook module, which the model never sees. */
  custom: { readonly customType: string; readonly data?: unknown };
  custom_message: {
    readonly customType: string;
    readonly content: string | readonly unknown[];
    readonly display: boolean;
    readonly details?: unknown;
  };
  compaction: {
    readonly summary: string;
    /** The summary replaces all earlier entries of the branch. Empty: it replaces all entries. */
    readonly firstKeptEntryId: string;
    readonly tokensBefore: number;
    readonly details?: unknown;
    readonly fromHook?: boolean;
    /** Data that hooks want to get back. */
    readonly preserved?: readonly unknown[];
  };
  branch_summary: { readonly summary: string; readonly fromId: string; readonly details?: unknown };
  model_change: { readonly model: string };
  /** Names an entry, or the session if `target` is null. */
  label: { readonly target: string | null; readonly label: string };
}
export type EntryKind = keyof Kinds;
interface Place {
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
}
export type EntryOf<K extends EntryKind> = { [P in K]: { readonly type: P } & Place & Kinds[P] }[K];
export type Entry = EntryOf<EntryKind>;
export type NewEntry = { [P in EntryKind]: { readonly type: P } & Kinds[P] }[EntryKind];

const KINDS: Record<EntryKind, true> = {
  message: true,
  custom: true,
  custom_message: true,
  compaction: true,
  branch_summary: true,
  model_change: true,
  label: true,
};
/** Entries of unknown kinds stay in the file and in the tree. */
export const isKnown = (entry: { readonly type: string }): entry is Entry => Object.hasOwn(KINDS, entry.type);
