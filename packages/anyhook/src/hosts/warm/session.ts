/** One session's process, seen from the engine. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NativeOutput } from '../console/speak.ts';
import type { ClientProcess } from './client-process.ts';
import type { FromSession, ToSession } from './session-messages.ts';
import { claim, TAKEN_ENDING } from './spool.ts';

const PROGRAM = fileURLToPath(new URL('./session-program.js', import.meta.url));
/** A process that is busy with somebody's endless loop starts nothing: it is not waited for. Clients wait for a second. */
const START_MS = 700;

/** `cold`: nothing was started; `lost`: its hooks were started, and the process is gone. */
export type SessionAnswer = NativeOutput | 'cold' | 'lost';

interface InFlight {
  /** What the client has kept of it. */
  readonly kept: string;
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
  ask({ kept, ...event }: Omit<ToSession, 'id'>): Promise<SessionAnswer> {
    this.lastUsedMs = performance.now();
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      // Who renames what was kept first starts the hooks, or sees to it that this process never does.
      const notStarted = setTimeout(() => claim(kept, TAKEN_ENDING) && end('cold'), START_MS);
      const end = (answer: SessionAnswer): void => {
        clearTimeout(notStarted);
        this.#inFlight.delete(id);
        resolve(answer);
        this.#endWhenDone();
      };
      this.#inFlight.set(id, { kept, end });
      this.#say({ ...event, id, kept });
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
    event?.end(message.kind === 'answer' ? message : 'cold');
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
    for (const { kept, end } of Array.from(this.#inFlight.values()))
      end(claim(kept, TAKEN_ENDING) ? 'cold' : 'lost');
  }
}
