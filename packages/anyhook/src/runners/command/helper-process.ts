import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { HookFailure, Reply } from '../../events/exchange.ts';
import { took } from '../../events/took.mjs';
import { ownFile } from '../../own-files.mjs';
import { atExit } from '../at-exit.ts';
import { KeepAlive } from '../keep-alive.ts';
import { ownProgram } from '../own-program.ts';
import { childProcess } from './child-process.mjs';
import { deadline, sharedClockMs } from './deadline.mjs';
import { environmentText } from './environment.ts';
import { frame, readFrames, spelledFrame } from './frames.mjs';
import type { Job, JobHead, RunHow } from './job.ts';
import { isLarge, Piecewise } from './piecewise.ts';
import { privatePath } from './private-files.mjs';
import { type Bare, decodeReply } from './raw-reply.mjs';
import { isPassing } from './start.mjs';
import { killTree, processTreeOf } from './tree.mjs';

const HELPER = ownFile('runners/command/helper.mjs');
/** A helper that is this late no longer watches deadlines, for example because a hook stopped it. */
const LATE_MS = 5_000;
const STDERR_KEPT = 2_000;

interface Pending {
  readonly awaited: boolean;
  readonly frame: () => Buffer[];
  readonly outlives: boolean;
  readonly job: Job;
  readonly settle: (reply: Reply) => void;
}
interface ReplyHead {
  readonly id: number;
  readonly bare: Bare;
  /** Offset of stderr in the body. Absent if nothing was started. */
  readonly stdout?: number;
}
type Word =
  | { readonly kind: 'abort'; readonly id: number }
  /** The host has the reply, so the helper need not pass it to the program that takes over. */
  | { readonly kind: 'heard'; readonly id: number }
  | { readonly kind: 'goodbye'; readonly left: readonly string[] };

/** The host's side of a helper process: sends jobs, receives replies, and replies in its place if it dies. */
export class HelperProcess {
  isAlive = true;
  /** The start failed because the system was temporarily out of processes, memory or file handles. */
  mayStartLater = false;
  readonly #session = randomBytes(8).toString('hex');
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #takeBack: () => void;
  /** Its reply pipe and the process, because the end of the pipe may arrive before the exit event. */
  readonly #awaited = new KeepAlive(() => [this.#child, this.#pipe(1)]);
  readonly #payloads = new Piecewise((parts, onWritten) => {
    for (const [at, part] of parts.entries())
      this.#pipe(0)?.write(part, at === parts.length - 1 ? onWritten : undefined);
  });
  #isClosing = false;
  #isClosed = false;
  #lastId = 0;
  #stderr = '';

  constructor() {
    this.#child = startHelper(this.#session);
    this.#takeBack = atExit(() => this.#tell({ kind: 'goodbye', left: this.#leave() }));
    this.#child.on('error', (error: NodeJS.ErrnoException) => {
      this.mayStartLater = isPassing(error.code);
      void this.#die({
        kind: 'not-started',
        detail: `the helper process could not be started: ${error.message}`,
      });
    });
    this.#child.once('close', (code, signal) => {
      const output = this.#stderr.trim();
      const how = `the helper process died (${signal ?? `exit ${code}`})${output === '' ? '' : `: ${output}`}`;
      void this.#die({ kind: 'killed', detail: how });
    });
    for (const index of [0, 1, 2, 3]) this.#pipe(index)?.on('error', () => {});
    new KeepAlive(() => [0, 2, 3].map((index) => this.#pipe(index))).release();
    this.#awaited.release();
    this.#pipe(2)?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT);
    });
    const replies = this.#pipe(1);
    if (replies !== undefined)
      readFrames(replies, (head: ReplyHead, body) => {
        if (this.#pending.get(head.id)?.job.afterwards !== undefined)
          this.#tell({ kind: 'heard', id: head.id });
        this.#settle(head.id, read(head, body));
      });
  }

  run(job: Job, stdin: string | undefined, { signal, awaited }: RunHow): Promise<Reply> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const abort = () => this.#tell({ kind: 'abort', id });
      const late = deadline(this.#longest(job) + LATE_MS, () => this.#giveUp(id, job));
      late.unref();
      const settle = (reply: Reply) => {
        late.cancel();
        signal.removeEventListener('abort', abort);
        resolve(reply);
      };
      const body = stdin === undefined ? [] : [Buffer.from(stdin)];
      const sentMs = sharedClockMs();
      // A background job is sent as a whole, because the host may end before the next piece.
      const [large] = job.outlives === true ? [] : body.filter(isLarge);
      const { env, ...rest } = job;
      const head: Omit<JobHead, 'env'> = {
        id,
        hasStdin: stdin !== undefined,
        ...(large && { inPieces: true }),
        ...(sentMs !== undefined && { sentMs }),
        job: rest,
      };
      const parts = () =>
        spelledFrame(
          `${JSON.stringify(head).slice(0, -1)},"env":${environmentText(env)}}`,
          ...(large === undefined ? body : []),
        );
      this.#pending.set(id, { awaited, settle, outlives: job.outlives === true, job, frame: parts });
      this.#hold();
      signal.addEventListener('abort', abort, { once: true });
      for (const part of parts()) this.#pipe(0)?.write(part);
      if (large !== undefined) this.#payloads.send(id, large);
    });
  }

  /** The job's time, including that of the jobs before it in its queue. */
  #longest({ queue, timeoutMs, graceMs }: Job): number {
    const before = [...this.#pending.values()].filter(
      ({ job }) => queue !== undefined && job.queue === queue,
    );
    return before.reduce((sum, { job }) => sum + job.timeoutMs + job.graceMs, timeoutMs + graceMs);
  }

  /** Sends the goodbye now, or after the last background run. The helper exits after that. */
  close(): void {
    this.#isClosing = true;
    if (this.#pending.size === 0) this.#sayGoodbye();
  }

  #sayGoodbye(): void {
    this.#isClosed = true;
    this.#tell({ kind: 'goodbye', left: [] });
    this.#pipe(0)?.end();
    this.#pipe(3)?.end();
    this.#takeBack();
  }

  /**
   * stdin for jobs, stdout for replies, stderr, and a control pipe. Undefined if the system had no pipe left.
   */
  #pipe(index: number): Socket | undefined {
    // Node types them as streams, but pipes of a child are sockets.
    return (this.#child.stdio?.[index] ?? undefined) as Socket | undefined;
  }

  /**
   * Writes unsent background jobs to private files, because this process exits before the pipe takes them.
   */
  #leave(): string[] {
    if (!this.#pipe(0)?.writableLength) return [];
    const unsent = [...this.#pending].filter(([, { outlives }]) => outlives);
    return unsent.map(([id, pending]) => {
      const path = `${privatePath(`${this.#session}-${id}/`)}.job`;
      writeFileSync(path, Buffer.concat(pending.frame()), { mode: 0o600, flag: 'wx' });
      return path;
    });
  }

  #tell(word: Word): void {
    // This pipe carries only a few bytes at a time, so they are written before the call returns, even in an
    // exit listener.
    const control = this.#pipe(3);
    if (control?.writable) for (const part of frame(word)) control.write(part);
  }

  #settle(id: number, reply: Reply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#payloads.drop(id);
    this.#hold();
    pending?.settle(reply);
    if (this.#isClosing && !this.#isClosed && this.#pending.size === 0) this.#sayGoodbye();
  }

  /** Keeps the host alive only for runs that someone waits for. */
  #hold(): void {
    if ([...this.#pending.values()].some(({ awaited }) => awaited)) this.#awaited.hold();
    else this.#awaited.release();
  }

  #giveUp(id: number, job: Job): void {
    const detail = `after ${took(job.timeoutMs)}; the helper process did not reply`;
    this.#settle(id, { kind: 'broken', why: { kind: 'timed-out', detail } });
    this.isAlive = false;
    this.#child.kill('SIGKILL');
  }

  async #die(why: HookFailure): Promise<void> {
    this.isAlive = false;
    this.#takeBack();
    // Without the helper, nothing else would end the hooks that it started.
    const survivors = this.#isClosed ? [] : await killTree(processTreeOf(undefined, `${this.#session}-`));
    const notes = survivors.length > 0 ? { notes: { survivors } } : {};
    for (const id of this.#pending.keys()) this.#settle(id, { kind: 'broken', why, ...notes });
  }
}

function read({ bare, stdout }: ReplyHead, body: Buffer): Reply {
  if (stdout === undefined) return decodeReply({ bare });
  return decodeReply({ bare, printed: { stdout: body.subarray(0, stdout), stderr: body.subarray(stdout) } });
}

/** Options for the host's own process (an inspector's port, a preloaded file) must not reach the helper. */
const PRIVATE = ['NODE_OPTIONS', 'NODE_V8_COVERAGE', 'NODE_CHANNEL_FD'];

/** Throws if there is no Node to run it. */
function startHelper(session: string): ChildProcess {
  const program = ownProgram();
  if ('missing' in program) throw new Error(program.missing);
  const env: NodeJS.ProcessEnv = { ...process.env, ...program.env };
  for (const name of PRIVATE) delete env[name];
  return childProcess().spawn(program.node, [...program.args, HELPER, session], {
    cwd: dirname(HELPER),
    env,
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
}
