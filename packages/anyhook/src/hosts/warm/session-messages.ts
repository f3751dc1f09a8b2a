/** Between the engine and the process of a session. */
export type ToSession =
  | { readonly kind: 'event'; readonly id: number; readonly argv: readonly string[]; readonly text: string }
  /** The client knows that its event was taken: hooks may start. */
  | { readonly kind: 'go'; readonly id: number }
  /** The client is gone, or was answered otherwise: they may not. */
  | { readonly kind: 'dropped'; readonly id: number };

export type FromSession =
  | { readonly kind: 'ready' }
  /** Hooks are open: the next event will be taken. */
  | { readonly kind: 'open'; readonly paths: number }
  | { readonly kind: 'taken'; readonly id: number }
  /** Not yet, or never. */
  | { readonly kind: 'cold'; readonly id: number }
  /** Something on disk is not as it was: this process has seen its last event. */
  | { readonly kind: 'stale'; readonly id: number }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    };
