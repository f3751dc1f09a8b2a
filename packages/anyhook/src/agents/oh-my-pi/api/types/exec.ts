export interface ExecOptions {
  signal?: AbortSignal | undefined;
  /** In milliseconds; default: no timeout. */
  timeout?: number | undefined;
  cwd?: string | undefined;
  /** Merged into the inherited environment. */
  env?: Record<string, string> | undefined;
  /** Names of inherited variables to remove. */
  stripEnv?: readonly string[] | undefined;
}
export interface ExecResult {
  stdout: string;
  stderr: string;
  /** -1 if it was killed or could not be started. */
  code: number;
  killed: boolean;
}
