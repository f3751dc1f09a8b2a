/** Everything the agent does, as one stream of events. Screens, JSON output and tests read it. */

export type Happening =
  | {
      readonly kind: 'session';
      readonly id: string;
      readonly file: string;
      readonly model: string;
      readonly title?: string;
    }
  /** A prompt that arrived while the agent works. It is sent between two turns. */
  | { readonly kind: 'queued'; readonly text: string }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'turn'; readonly index: number }
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'thinking'; readonly delta: string }
  /** A complete part of the model's text, after hooks changed it. */
  | { readonly kind: 'said'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly call: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  /** The change that the call would make to a file, shown before the user is asked. */
  | { readonly kind: 'tool-preview'; readonly call: string; readonly diff: string }
  | { readonly kind: 'tool-progress'; readonly call: string; readonly text: string }
  | {
      readonly kind: 'tool-ended';
      readonly call: string;
      readonly tool: string;
      readonly output: string;
      readonly title?: string;
      readonly isError: boolean;
      /** Why a hook, a rule or the user refused the call. */
      readonly refused?: string;
      /** Fields that hooks changed. */
      readonly changed?: readonly string[];
      /** The input that ran, if it differs from the requested one. */
      readonly input?: Readonly<Record<string, unknown>>;
      /** The change to a file, as a patch. */
      readonly diff?: string;
    }
  | {
      readonly kind: 'hook';
      readonly id: string;
      readonly name: string;
      readonly on: string;
      readonly status?: string;
    }
  | {
      readonly kind: 'hook-ended';
      readonly id: string;
      readonly name: string;
      readonly on: string;
      readonly ms: number;
      /** The tool call that the hook judged. */
      readonly call?: string;
      /** The hook ran again because other hooks changed the call. */
      readonly isSecondRound?: true;
      /** A short description: allowed, denied, changed input, failed open. */
      readonly decided: string;
    }
  | { readonly kind: 'notice'; readonly text: string; readonly level: 'info' | 'warning' | 'error' }
  /** A message that a hook module sent, for its renderer to draw. */
  | { readonly kind: 'custom'; readonly type: string; readonly message: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'subagent';
      readonly agent: string;
      readonly type: string;
      readonly state: 'started' | 'ended';
    }
  | { readonly kind: 'compacting'; readonly trigger: string }
  | { readonly kind: 'compacted'; readonly summary: string; readonly before: number; readonly after: number }
  | { readonly kind: 'retrying'; readonly attempt: number; readonly inMs: number; readonly why: string }
  | { readonly kind: 'usage'; readonly input: number; readonly output: number }
  | {
      readonly kind: 'stopped';
      readonly why: 'done' | 'aborted' | 'max-turns' | 'halted' | 'error';
      readonly detail?: string;
    };

export type Listen = (happening: Happening) => void;
