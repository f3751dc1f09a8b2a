/** What the agent does, as it does it: the one stream that every screen, the JSON output and the tests read. */

export type Happening =
  | {
      readonly kind: 'session';
      readonly id: string;
      readonly file: string;
      readonly model: string;
      readonly title?: string;
    }
  /** Came in while the agent works: taken up between two turns. */
  | { readonly kind: 'queued'; readonly text: string }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'turn'; readonly index: number }
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'thinking'; readonly delta: string }
  /** A whole piece of the model's text, as hooks left it. */
  | { readonly kind: 'said'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly call: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  /** What the call would make of a file, before the person is asked. */
  | { readonly kind: 'tool-preview'; readonly call: string; readonly diff: string }
  | { readonly kind: 'tool-progress'; readonly call: string; readonly text: string }
  | {
      readonly kind: 'tool-ended';
      readonly call: string;
      readonly tool: string;
      readonly output: string;
      readonly title?: string;
      readonly isError: boolean;
      /** By a hook, a rule or the person. */
      readonly refused?: string;
      /** Fields that hooks changed. */
      readonly changed?: readonly string[];
      /** What ran instead of what was asked for. */
      readonly input?: Readonly<Record<string, unknown>>;
      /** What it made of a file, as a patch. */
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
      /** The tool call that it was asked about. */
      readonly call?: string;
      /** Asked once more, about what other hooks made of it. */
      readonly isSecondRound?: true;
      /** In a few words: allowed, denied, changed input, failed open. */
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
