/** One session's process, seen from the engine. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NativeOutput } from '../console/speak.ts';
import type { ClientProcess } from './client-process.ts';
import type { FromSession, ToSession } from './session-messages.ts';

const PROGRAM = fileURLToPath(new URL('./session-program.js', import.meta.url));
/** Longer than any look at the disk; a process that is busy with somebody's endless loop does not answer at all. */
const TAKES_MS = 700;

/** What became of an event. `lost`: its hooks were started, and the process is gone. */
export type SessionAnswer = NativeOutput | 'lost';

interface InFlight {
  /** The session's word on it, before anything runs. */
  readonly decide: (isTaken: boolean) => void;
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
    this.#child.on('exit', () => this.#ended());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Does the session take this event? `go` starts its hooks, once; without it they never start. */
  async offer(argv: readonly string[], text: string): Promise<TakenEvent | undefined> {
    this.lastUsedMs = performance.now();
    const id = ++this.#lastId;
    let end: InFlight['end'] = () => {};
    const answer = new Promise<SessionAnswer>((resolve) => (end = resolve));
    let timer: NodeJS.Timeout | undefined;
    const isTaken = await new Promise<boolean>((decide) => {
      this.#inFlight.set(id, { decide, end });
      timer = setTimeout(() => decide(false), TAKES_MS);
      this.#say({ kind: 'event', id, argv, text });
    });
    clearTimeout(timer);
    const drop = (): void => {
      this.#inFlight.delete(id);
      this.#say({ kind: 'dropped', id });
      this.#endWhenDone();
    };
    if (!isTaken) {
      drop();
      return undefined;
    }
    return {
      drop,
      go: () => {
        this.#say({ kind: 'go', id });
        return answer;
      },
    };
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
    if (message.kind === 'ready' || message.kind === 'open') return;
    const event = this.#inFlight.get(message.id);
    if (message.kind === 'stale') this.retire();
    if (message.kind !== 'answer') event?.decide(message.kind === 'taken');
    else {
      this.#inFlight.delete(message.id);
      event?.end(message);
      this.#endWhenDone();
    }
  }
  #endWhenDone(): void {
    if (this.isOver && this.#inFlight.size === 0 && this.#child.connected) this.#child.disconnect();
  }
  #ended(): void {
    if (!this.isOver) {
      this.isOver = true;
      this.#onOver();
    }
    for (const { decide, end } of this.#inFlight.values()) {
      decide(false);
      end('lost');
    }
    this.#inFlight.clear();
  }
}

export interface TakenEvent {
  go(): Promise<SessionAnswer>;
  drop(): void;
}
