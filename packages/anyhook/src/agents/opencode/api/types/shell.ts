import type { Loose } from './loose.ts';

/** Values for `${…}`: everything that can be converted to text. `{ raw }` is inserted into the script unchanged. */
export type ShellExpression =
  | { toString(): string }
  | ShellExpression[]
  | string
  | { raw: string }
  | ReadableStream;

/** The `$` of a plugin: each inserted value is one literal word, whatever it contains. */
export interface BunShell {
  (strings: TemplateStringsArray, ...expressions: ShellExpression[]): BunShellPromise;
  braces(pattern: string): string[];
  escape(input: string): string;
  /** Sets the environment of later commands; without a value, resets it to the inherited one. */
  env(newEnv?: Record<string, string | undefined>): BunShell;
  cwd(newCwd?: string): BunShell;
  /** Later commands resolve for every exit code. */
  nothrow(): BunShell;
  throws(shouldThrow: boolean): BunShell;
}

export interface BunShellPromise extends Promise<BunShellOutput> {
  readonly stdin: WritableStream;
  cwd(newCwd: string): this;
  env(newEnv: Record<string, string> | undefined): this;
  /** Does not print the output to the program's stdout and stderr. It is always collected. */
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

/** The error of a failed command. */
export type BunShellError = Error & BunShellOutput;
