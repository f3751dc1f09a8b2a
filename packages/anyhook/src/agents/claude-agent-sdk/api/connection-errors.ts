/** Errors of the connection to the CLI, in contrast to errors in a callback. */

/** A request was refused, timed out, or could not be sent. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly why: 'refusal' | 'timed-out' | 'aborted' | 'gone' | 'misuse';
  constructor(why: ProtocolError['why'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}
/** This CLI would run without the requested hooks. */
export class HooksUnsupportedError extends Error {
  override readonly name = 'HooksUnsupportedError';
  constructor(why: string, options?: ErrorOptions) {
    super(`the CLI cannot run these hooks: ${why}. Update Claude Code.`, options);
  }
}
/** The program could not be started. */
export class CliNotFoundError extends Error {
  override readonly name = 'CliNotFoundError';
}
/** The program exited before its work was done. */
export class CliExitedError extends Error {
  override readonly name = 'CliExitedError';
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(message: string, exitCode: number | null, stderr: string) {
    super(message);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}
