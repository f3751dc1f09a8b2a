export interface ExecOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds; without it, none. */
  timeout?: number | undefined;
  cwd?: string | undefined;
  /** Laid over the inherited environment. */
  env?: Record<string, string> | undefined;
  /** Names of inherited variables the command shall not have. */
  stripEnv?: readonly string[] | undefined;
}
export interface ExecResult {
  stdout: string;
  stderr: string;
  /** -1 when it was killed or could not be started. */
  code: number;
  killed: boolean;
}
