/** One session's process, seen from the engine. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ClientProcess } from './client-process.ts';
import type { FromSession, SessionAnswer, WarmEvent, ToSession } from './session-messages.ts';
import { claim, TAKEN_ENDING } from './spool.ts';

const PROGRAM = fileURLToPath(new URL('./session-program.js', import.meta.url));
/** A process that is busy with somebody's endless loop starts nothing: it is not waited for. Clients wait for a second. */
const START_MS = 700;
/** One that has nothing under way ends at once when it is told to, unless it is busy with such a loop. */
const END_MS = 5000;

interface InFlight {
  /** What the client has kept of it. */
  readonly kept: string;
  readonly end: (answer: SessionAnswer) => void;
}

/** An event that came by the line of the process itself. */
export interface DirectlyTaken {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly answer: Promise<SessionAnswer>;
}
export interface SessionProcessOptions {
  /** What the process needs to know of the engine: its folder and its build. */
  readonly engine: readonly [folder: string, build: string];
  /** What that client has kept. */
  readonly keptBy: (pid: number) => string;
  readonly onTook: (event: DirectlyTaken) => void;
  readonly onOver: () => void;
}

export class SessionProcess {
  lastUsedMs = performance.now();
  /** Something on disk has changed, or it has ended: it takes no further event. */
  isOver = false;
  readonly #child: ChildProcess;
  readonly #inFlight = new Map<number, InFlight>();
  readonly #options: SessionProcessOptions;
  #lastId = 0;
  #lastAgent = 0;

  constructor({ env, cwd }: ClientProcess, options: SessionProcessOptions) {
    this.#options = options;
    this.#child = fork(PROGRAM, options.engine, {
      cwd,
      env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
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
  ask(event: WarmEvent): Promise<SessionAnswer> {
    this.lastUsedMs = performance.now();
    const { kept } = event;
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      // Who renames what was kept first starts the hooks, or sees to it that this process never does.
      const notStarted = setTimeout(() => claim(kept, TAKEN_ENDING) && end('cold'), START_MS);
      const end = this.#begin(id, kept, (answer) => {
        clearTimeout(notStarted);
        resolve(answer);
      });
      this.#say({ kind: 'event', ...event, id });
    });
  }
  /** From the second event in a row that one agent sends this way, it may send its events to the process itself. */
  listenTo(agent: number, key: string): boolean {
    const isAgain = this.#lastAgent === agent && !this.isOver;
    this.#lastAgent = agent;
    if (isAgain) this.#say({ kind: 'listen', agent, key });
    return isAgain;
  }

  /** No further events; what is under way is answered. */
  retire(): void {
    if (this.isOver) return;
    this.#over();
    this.#say({ kind: 'end' });
    setTimeout(() => this.inFlight === 0 && this.kill(), END_MS).unref();
  }
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #begin(id: number, kept: string, onEnd: (answer: SessionAnswer) => void): InFlight['end'] {
    const end = (answer: SessionAnswer): void => {
      this.#inFlight.delete(id);
      onEnd(answer);
    };
    this.#inFlight.set(id, { kept, end });
    return end;
  }
  #say(message: ToSession): void {
    if (this.#child.connected) this.#child.send(message, () => {});
    else this.#ended();
  }
  #hear(message: FromSession): void {
    if (message.kind === 'took') return this.#took(message);
    const event = this.#inFlight.get(message.id);
    if (message.kind === 'stale') this.retire();
    event?.end(message.kind === 'answer' ? message : 'cold');
  }
  #took({ id, pid, argv }: FromSession & { readonly kind: 'took' }): void {
    this.lastUsedMs = performance.now();
    const answer = new Promise<SessionAnswer>((resolve) =>
      this.#begin(id, this.#options.keptBy(pid), resolve),
    );
    this.#options.onTook({ pid, argv, answer });
  }
  #over(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#options.onOver();
  }
  #ended(): void {
    this.#over();
    this.kill();
    for (const { kept, end } of Array.from(this.#inFlight.values()))
      end(claim(kept, TAKEN_ENDING) ? 'cold' : 'lost');
  }
}
