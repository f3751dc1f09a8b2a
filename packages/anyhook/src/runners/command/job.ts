import type { ChildProcess } from 'node:child_process';
import type { Notes, Reply } from '../../events/exchange.ts';

/** Who is told how a run ended when the host no longer can be: a program of Node's, which reads JSON from its stdin. */
export interface Afterwards {
  readonly program: string;
  /** Handed on as it is, with the reply and the time it took. */
  readonly input: unknown;
}
/** What such a program reads. */
export interface RunEnd {
  readonly input: unknown;
  readonly reply: Reply;
  readonly ms: number;
}

/** One run, spelled out: nothing in it needs the host any more, so it can cross a pipe. */
export interface Job {
  readonly file: string;
  readonly args: readonly string[];
  /** `cmd.exe` reads its line by its own rules: hand it over unquoted. */
  readonly verbatim?: true;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variable name → content of the private file whose path it shall hold. */
  readonly files?: Readonly<Record<string, string>>;
  /** The variable whose file it may write lines for a shell into. */
  readonly exports?: string;
  readonly timeoutMs: number;
  readonly graceMs: number;
  /** In bytes. */
  readonly caps: { readonly stdout: number; readonly stderr: number };
  /** Nobody waits for it: it goes on when the host has ended in good order. */
  readonly outlives?: true;
  readonly afterwards?: Afterwards;
  /** Begins when those before it in the same queue have ended. */
  readonly queue?: string;
  /** A program of it may wait for the next event: nothing of an event is in its words, its folder or its environment. */
  readonly prespawn?: true;
  /** What was found out while the job was written. */
  readonly notes?: Notes;
}

/** A job as it crosses the pipe. Its environment stands beside it: that is spelled once for many. */
export interface JobHead {
  readonly id: number;
  readonly hasStdin: boolean;
  readonly inPieces?: true;
  readonly sentMs?: number;
  readonly job: Omit<Job, 'env'>;
  readonly env: Job['env'];
}

/** Started before its event came, and not fed yet. */
export interface ReadyProgram {
  readonly kind: 'started';
  readonly child: ChildProcess;
  readonly cwd: string;
  readonly mark: string;
}

/** As much of an `AbortSignal` as it takes to hear of an end: a whole one costs more than writing the job. */
export interface AbortWatch {
  readonly aborted: boolean;
  addEventListener(type: 'abort', call: () => void, how: { once: true }): void;
  removeEventListener(type: 'abort', call: () => void): void;
}

/** A job under way: who may end it, and the mark its whole tree carries in `ANYHOOK_RUN`. */
export interface Watch {
  readonly mark: string;
  /** How much of its time went by on the way here. */
  readonly waitedMs?: number;
  readonly signal: AbortWatch;
  readonly onStart?: (pid: number) => void;
  readonly onEnd?: (pid: number) => void;
  /** It was started already. */
  readonly ready?: ReadyProgram | undefined;
}

/** Where jobs are run: in a process of their own, or beside the caller. */
export interface JobRunner {
  /** The job is handed over before this returns, so that a host may end right after it. */
  run(job: Job, stdin: string | undefined, how: RunHow): Promise<Reply>;
  close(): Promise<void>;
}
export interface RunHow {
  readonly signal: AbortWatch;
  /** Somebody waits for the reply: the host must not end before it is there. */
  readonly awaited: boolean;
}
