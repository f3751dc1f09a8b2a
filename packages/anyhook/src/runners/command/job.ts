import type { ChildProcess } from 'node:child_process';
import type { Notes, Reply } from '../../events/exchange.ts';

/** A program for Node that receives a run's result after the host has ended, as JSON on stdin. */
export interface Afterwards {
  readonly program: string;
  /** Passed on unchanged, with the reply and the duration. */
  readonly input: unknown;
}
/** The input of such a program. */
export interface RunEnd {
  readonly input: unknown;
  readonly reply: Reply;
  readonly ms: number;
}

/** A run as plain data, independent of the host, so that it can be sent through a pipe. */
export interface Job {
  readonly file: string;
  readonly args: readonly string[];
  /** Passes the arguments unquoted, because `cmd.exe` parses its command line itself. */
  readonly verbatim?: true;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variable name → content of the private file whose path it gets. */
  readonly files?: Readonly<Record<string, string>>;
  /** The variable whose file may receive shell lines. */
  readonly exports?: string;
  readonly timeoutMs: number;
  readonly graceMs: number;
  /** In bytes. */
  readonly caps: { readonly stdout: number; readonly stderr: number };
  /** A background run, which continues after the host has ended normally. */
  readonly outlives?: true;
  readonly afterwards?: Afterwards;
  /** Starts after the previous run of the same queue. */
  readonly queue?: string;
  /**
   * A process for the next event may be started ahead, because arguments, folder and environment do not
   * depend on the event.
   */
  readonly prespawn?: true;
  /** Facts found while the job was written. */
  readonly notes?: Notes;
}

/** A job as it is sent. The environment is separate, because its serialised form is cached. */
export interface JobHead {
  readonly id: number;
  readonly hasStdin: boolean;
  readonly inPieces?: true;
  readonly sentMs?: number;
  readonly job: Omit<Job, 'env'>;
  readonly env: Job['env'];
}

/** A process that was started ahead and has not received an event. */
export interface ReadyProgram {
  readonly kind: 'started';
  readonly child: ChildProcess;
  readonly cwd: string;
  readonly mark: string;
}

/** The part of `AbortSignal` that is needed here. A real one costs more than writing the job. */
export interface AbortWatch {
  readonly aborted: boolean;
  addEventListener(type: 'abort', call: () => void, how: { once: true }): void;
  removeEventListener(type: 'abort', call: () => void): void;
}

/** Context of a running job: its abort signal, and the mark of its process tree in `ANYHOOK_RUN`. */
export interface Watch {
  readonly mark: string;
  /** Time already spent before the start. */
  readonly waitedMs?: number;
  readonly signal: AbortWatch;
  readonly onStart?: (pid: number) => void;
  readonly onEnd?: (pid: number) => void;
  /** The process, if it was started ahead. */
  readonly ready?: ReadyProgram | undefined;
}

/** Runs jobs, in a helper process or next to the caller. */
export interface JobRunner {
  /** The job is passed on before this returns, so that the host may end right after it. */
  run(job: Job, stdin: string | undefined, how: RunHow): Promise<Reply>;
  close(): Promise<void>;
}
export interface RunHow {
  readonly signal: AbortWatch;
  /** The host waits for the reply and must not end before it. */
  readonly awaited: boolean;
}
