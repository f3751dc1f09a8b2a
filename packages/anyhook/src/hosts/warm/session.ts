/** One session's process, seen from the engine. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TraceHeaders } from '../../canon/trace.ts';
import type { NativeOutput } from '../console/speak.ts';
import type { ClientProcess } from './client-process.ts';
import { type FromSession, systemMs, type ToSession } from './session-messages.ts';

const PROGRAM = fileURLToPath(new URL('./session-program.js', import.meta.url));
/** A process that is busy with somebody's endless loop starts nothing. */
const START_MS = 700;
/** What it has said by then has reached us, on a machine however loaded. */
const SURELY_MS = START_MS + 1300;

/** `cold`: nothing was started; `lost`: its hooks were started, and the process is gone. */
export type SessionAnswer = NativeOutput | 'cold' | 'lost';

interface InFlight {
  isStarted: boolean;
  readonly end: (answer: SessionAnswer) => void;
}

export class SessionProcess {
  lastUsedMs = performance.now();
  /** Something on disk has changed, or it has ended: it takes no further event. */
  isOver = false;
  readonly #child: ChildProcess;
  readonly #inFlight = new Map<number, InFlight>();
  readonly #onOver: () => void;
  #lastId = 0;

  constructor({ env, cwd }: ClientProcess, onOver: () => void) {
    this.#onOver = onOver;
    this.#child = fork(PROGRAM, [], { cwd, env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#child.on('message', (message) => this.#hear(message as FromSession));
    this.#child.on('error', () => this.#ended());
    // Not when it exits: what it said before may still be on its way.
    this.#child.on('disconnect', () => this.#ended());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Never rejects. */
  ask(argv: readonly string[], text: string, trace?: TraceHeaders): Promise<SessionAnswer> {
    this.lastUsedMs = performance.now();
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const notStarted = setTimeout(
        () => setImmediate(() => this.#inFlight.get(id)?.isStarted === false && end('cold')),
        SURELY_MS,
      );
      const end = (answer: SessionAnswer): void => {
        clearTimeout(notStarted);
        this.#inFlight.delete(id);
        resolve(answer);
        this.#endWhenDone();
      };
      this.#inFlight.set(id, { isStarted: false, end });
      this.#say({ id, argv, text, ...(trace !== undefined && { trace }), startBy: systemMs() + START_MS });
    });
  }

  /** No further events; what is under way is answered. */
  retire(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#onOver();
    this.#endWhenDone();
  }
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #say(message: ToSession): void {
    if (this.#child.connected) this.#child.send(message, () => {});
    else this.#ended();
  }
  #hear(message: FromSession): void {
    const event = this.#inFlight.get(message.id);
    if (message.kind === 'stale') this.retire();
    if (event === undefined) return;
    if (message.kind === 'started') event.isStarted = true;
    else event.end(message.kind === 'answer' ? message : 'cold');
  }
  #endWhenDone(): void {
    if (this.isOver && this.#inFlight.size === 0 && this.#child.connected) this.#child.disconnect();
  }
  #ended(): void {
    if (!this.isOver) {
      this.isOver = true;
      this.#onOver();
    }
    this.kill();
    for (const { isStarted, end } of Array.from(this.#inFlight.values())) end(isStarted ? 'lost' : 'cold');
  }
}
