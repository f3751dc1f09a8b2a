import type { Loose } from './loose.ts';

/** What may stand in `${…}`: everything that has a text. `{ raw }` goes to the shell as it is written. */
export type ShellExpression =
  | { toString(): string }
  | ShellExpression[]
  | string
  | { raw: string }
  | ReadableStream;

/** The `$` of a plugin: each value between the braces is one literal word, whatever it holds. */
export interface BunShell {
  (strings: TemplateStringsArray, ...expressions: ShellExpression[]): BunShellPromise;
  braces(pattern: string): string[];
  escape(input: string): string;
  /** Sets the environment of commands started from now on; without a value, the inherited one again. */
  env(newEnv?: Record<string, string | undefined>): BunShell;
  cwd(newCwd?: string): BunShell;
  /** Commands started from now on resolve whatever their exit code. */
  nothrow(): BunShell;
  throws(shouldThrow: boolean): BunShell;
}

export interface BunShellPromise extends Promise<BunShellOutput> {
  readonly stdin: WritableStream;
  cwd(newCwd: string): this;
  env(newEnv: Record<string, string> | undefined): this;
  /** Keeps the output from the program's own stdout and stderr; it is collected either way. */
  quiet(): this;
  lines(): AsyncIterable<string>;
  text(encoding?: BufferEncoding): Promise<string>;
  json(): Promise<Loose>;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  nothrow(): this;
  throws(shouldThrow: boolean): this;
}

export interface BunShellOutput {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number;
  text(encoding?: BufferEncoding): string;
  json(): Loose;
  arrayBuffer(): ArrayBuffer;
  bytes(): Uint8Array;
  blob(): Blob;
}

/** What a command that failed rejects with. */
export type BunShellError = Error & BunShellOutput;
