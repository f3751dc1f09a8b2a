/**
 * Requests to runners and their replies. A runner does not interpret a reply: it does not know what exit code
 * 2 means.
 */

export interface CommandRequest {
  readonly kind: 'command';
  readonly cwd: string;
  /** Replaces the hook's own program and arguments if the event is part of them. */
  readonly argv?: readonly [string, ...string[]];
  readonly stdin?: string;
  /** Added to the environment that the hook's configuration allows. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Maps a variable name to file content. The content is written to a private file whose path is in the
   * variable. The file is deleted when the run ends.
   */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * The variable, one of `files`, whose file the hook may fill with shell lines. The reply lists the
   * variables that the lines set.
   */
  readonly exports?: string;
}
export interface CallRequest {
  readonly kind: 'call';
  /** Copies, because the hook may modify them. */
  readonly args: readonly unknown[];
}
export interface SendRequest {
  readonly kind: 'send';
  readonly body: string;
  /** For runners that send messages with headers. */
  readonly headers?: Readonly<Record<string, string>>;
}
export type Request = CommandRequest | CallRequest | SendRequest;

export type FailureKind =
  | 'timed-out' // its own deadline passed
  | 'no-time' // the budget of the whole fire was used up before it started
  | 'killed' // ended by a signal that we did not send
  | 'not-started' // missing program, no permission, arguments too large, no process available
  | 'not-loaded' // a module could not be imported, or a settings entry could not be read
  | 'not-trusted' // waits for the user's trust
  | 'unreadable' // its answer could not be interpreted
  | 'failed' // it ended with a failure that is not an answer
  | 'aborted' // the host cancelled the event
  | 'too-deep' // hooks nested too deeply
  | 'unavailable'; // the host lacks a service that it needs

export interface HookFailure {
  readonly kind: FailureKind;
  readonly detail?: string;
}

/** Facts about a run that must stay in the record. */
export interface Notes {
  readonly truncated?: { readonly stdout?: number; readonly stderr?: number };
  /** A process that the hook left behind still held its output open; the runner did not wait for it. */
  readonly held?: true;
  /** Ids of processes that survived the kill. */
  readonly survivors?: readonly number[];
  /** Invalid UTF-8 bytes were replaced. */
  readonly replaced?: true;
  /** The working directory was missing; the hook ran in this one. */
  readonly cwd?: string;
  /** Variables that an environment cannot hold (a NUL byte, a name with `=`); the hook ran without them. */
  readonly unset?: readonly string[];
  /** Why the shell lines that the hook wrote set no variables. */
  readonly unexported?: string;
  /** Why printed text, which its dialect treats as context, may have been meant as an answer. */
  readonly doubt?: string;
  /** Fields of its answer that its own agent ignores too. */
  readonly notApplied?: readonly string[];
}

export interface ExitReply {
  readonly kind: 'exited';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Variables set by the shell lines that the hook wrote, see `exports`. */
  readonly exported?: Readonly<Record<string, string>>;
  readonly notes?: Notes;
}
export interface ReturnReply {
  readonly kind: 'returned';
  readonly value: unknown;
  /** The arguments after the call, copied when it ended. */
  readonly args: readonly unknown[];
}
export interface ThrowReply {
  readonly kind: 'threw';
  readonly message: string;
  readonly stack?: string;
  readonly args: readonly unknown[];
}
export interface HttpReply {
  readonly kind: 'answered';
  readonly status: number;
  readonly body: string;
}
export interface BrokenReply {
  readonly kind: 'broken';
  readonly why: HookFailure;
  /** Its output before it broke. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly notes?: Notes;
}
export type Reply = ExitReply | ReturnReply | ThrowReply | HttpReply | BrokenReply;

export interface Limit {
  /** Counted from the start of the hook. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}
