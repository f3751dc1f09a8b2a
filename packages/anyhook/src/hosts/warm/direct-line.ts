/**
 * A session's process hears its agent's events by itself: what goes through the engine is two more processes to be woken for
 * every event. Whatever is not an event of exactly this session, open here and unchanged on disk, is handed on to the engine
 * as it came. The engine decides who listens for whom, and takes the name away when it is over.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { hearClient, payloadIn, sayAnswer, type SeenClient } from './client-line.ts';
import type { EnginePlaces } from './places.ts';
import { sessionKey } from './session-key.ts';
import type { SessionAnswer, WarmEvent } from './session-messages.ts';
import { keptBy } from './spool.ts';

/** Where the clients of this agent find it. */
export const directTo = ({ direct }: EnginePlaces, agent: number): string => join(direct, String(agent));

/** An event that is taken here. */
export interface DirectEvent {
  readonly answer: Promise<SessionAnswer>;
  /** Its client has been told. */
  readonly onSaid: () => void;
}
export interface DirectOptions {
  readonly places: EnginePlaces;
  /** Is this still the program by which the client would answer otherwise? */
  readonly isCurrent: (bin: string) => boolean;
  /** Undefined: nothing was started, and somebody else may. */
  readonly take: (pid: number, event: WarmEvent) => DirectEvent | undefined;
}

export class DirectLine {
  readonly #options: DirectOptions;
  #server: Server | undefined;
  #agent = 0;
  #key = '';

  constructor(options: DirectOptions) {
    this.#options = options;
  }

  /** For the clients of this agent, and of no other any more. */
  listen(agent: number, key: string): void {
    const name = directTo(this.#options.places, agent);
    this.#key = key;
    if (this.#agent === agent && existsSync(name)) return;
    this.#agent = agent;
    this.#server?.close();
    // Under a name of its own first: a server that closes takes away the name it listened under, which may be another's by then.
    const own = `${directTo(this.#options.places, process.pid)}~`;
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
    this.#server = server;
    server.on('error', () => {}); // then its events come by the engine
    try {
      rmSync(own, { force: true });
      const mask = process.umask(0o077);
      server.listen(own, () => {
        try {
          renameSync(own, name);
        } catch {
          // the folder is gone, and so is the engine
        }
      });
      process.umask(mask);
    } catch {
      // as above
    }
  }

  #accept(socket: Socket): void {
    hearClient(socket, (all, seen) => {
      const event = seen && this.#taken(all, seen);
      if (event === undefined) this.#handOn(socket, all);
      else void sayAnswer(socket, event.answer).then(event.onSaid);
    });
  }
  #taken(all: Buffer, { head, client }: SeenClient): DirectEvent | undefined {
    const { places, isCurrent, take } = this.#options;
    const text = client && payloadIn(all, head);
    if (text === undefined || !isCurrent(head.bin) || sessionKey(client!, text) !== this.#key)
      return undefined;
    const { pid, argv } = head;
    return take(pid, { argv, text, trace: client!.trace, kept: keptBy(places.spool, pid) });
  }
  #handOn(socket: Socket, all: Buffer): void {
    const engine = connect({ path: this.#options.places.socket, allowHalfOpen: true });
    const end = (): void => {
      engine.destroy();
      socket.destroy();
    };
    engine.on('error', end); // the client hears nothing, and goes the cold way
    socket.on('close', end);
    engine.pipe(socket);
    engine.end(all);
  }
}
