/** What goes to a runner and what comes back. A runner knows no meaning: it does not know what exit 2 is. */

export interface CommandRequest {
  readonly kind: 'command';
  readonly cwd: string;
  /** In place of the hook's own program and arguments, where the event is part of them. */
  readonly argv?: readonly [string, ...string[]];
  readonly stdin?: string;
  /** Laid over the environment that the hook's way of running allows. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variable name → content: written to a private file, whose path the variable holds; gone when the run ends. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of `files`, the one that it may write lines for a shell into: the reply says which variables they set. */
  readonly exports?: string;
}
export interface CallRequest {
  readonly kind: 'call';
  /** Copies: the hook may write to them. */
  readonly args: readonly unknown[];
}
export interface SendRequest {
  readonly kind: 'send';
  readonly body: string;
  /** For runners whose messages have some. */
  readonly headers?: Readonly<Record<string, string>>;
}
export type Request = CommandRequest | CallRequest | SendRequest;

export type FailureKind =
  | 'timed-out' // its own deadline passed
  | 'no-time' // the budget of the whole fire was used up before it could start
  | 'killed' // ended by a signal that we did not send
  | 'not-started' // missing program, no permission, arguments too large, no process to be had
  | 'not-loaded' // a module that could not be imported, a settings entry that could not be read
  | 'not-trusted' // waits for the person's trust
  | 'unreadable' // it answered, and the answer makes no sense
  | 'failed' // it ended with a failure that is not an answer
  | 'aborted' // the host gave up
  | 'too-deep' // a hook inside a hook inside a hook
  | 'unavailable'; // the host lacks the service it needs

export interface HookFailure {
  readonly kind: FailureKind;
  readonly detail?: string;
}

/** Facts beside the answer that must not be lost. */
export interface Notes {
  readonly truncated?: { readonly stdout?: number; readonly stderr?: number };
  /** Output was still held open by a process the hook left behind; we did not wait for it. */
  readonly held?: true;
  /** Process ids that outlived the kill. */
  readonly survivors?: readonly number[];
  /** Bytes that were no UTF-8 were replaced. */
  readonly replaced?: true;
  /** The working directory was gone; it ran here instead. */
  readonly cwd?: string;
  /** Variables that no environment can hold (a NUL byte, a name with `=`); it ran without them. */
  readonly unset?: readonly string[];
  /** Why the lines that it wrote for a shell set nothing. */
  readonly unexported?: string;
  /** It printed text, which its dialect takes for context, and something in it looks like an answer. */
  readonly doubt?: string;
  /** Fields of its answer that its own agent passes over as well. */
  readonly notApplied?: readonly string[];
}

export interface ExitReply {
  readonly kind: 'exited';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Variables that the lines it wrote for a shell set: see `exports`. */
  readonly exported?: Readonly<Record<string, string>>;
  readonly notes?: Notes;
}
export interface ReturnReply {
  readonly kind: 'returned';
  readonly value: unknown;
  /** The arguments as the call left them, copied when it ended. */
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
  /** What it had said before it broke. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly notes?: Notes;
}
export type Reply = ExitReply | ReturnReply | ThrowReply | HttpReply | BrokenReply;

export interface Limit {
  /** From the moment the hook starts. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}
