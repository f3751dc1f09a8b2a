/** The daemon: listens for clients, answers their events, and ends when it is idle or replaced. */

import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { version } from '../console/version.ts';
import { residentBytes } from '../runners/resident-bytes.mjs';
import { writeOwn } from '../settings/own-file.ts';
import { ownerIn } from './ask-daemon.ts';
import { serveConnection } from './connection.ts';
import { type ClientEvent, type ClientHello, type DaemonState, PROTOCOL_VERSION } from './frames.ts';
import type { DaemonPlace } from './place.ts';
import { OWN_PROGRAM, programMark } from './program-mark.ts';
import { type EventAnswer, OpenSessions } from './sessions.ts';
import type { SpareProcess } from './spare-process.ts';

const IDLE_MS = 30 * 60_000;
const LOOK_EVERY_MS = 10_000;

export class Daemon {
  readonly #place: DaemonPlace;
  readonly #mark = programMark();
  readonly #sessions: OpenSessions;
  readonly #server: Server;
  readonly #onEnd: () => void;
  /** Clients that are about to send their event, and events that are being answered. */
  #pending = 0;
  #events = 0;
  #lastEventMs = performance.now();
  #isRetired = false;

  constructor(place: DaemonPlace, spare: SpareProcess | undefined, onEnd: () => void) {
    this.#place = place;
    this.#sessions = new OpenSessions(spare);
    this.#onEnd = onEnd;
    this.#server = createServer({ allowHalfOpen: true }, (socket) =>
      serveConnection(socket, {
        refusal: (client) => this.#refusal(client),
        answer: (event) => this.#answer(event),
        state: () => this.#state(),
        stop: () => this.retire(),
        onReady: () => this.#begin(),
      }),
    );
    this.#server.on('error', () => this.retire());
  }

  listen(): Promise<void> {
    const { socket, owner } = this.#place;
    // Under a name of its own first: closing a server removes the name it was given, which may be a successor's by then.
    const own = process.platform === 'win32' ? socket : `${socket}.${process.pid}`;
    return new Promise((resolve, reject) => {
      const mask = process.umask(0o077);
      this.#server.once('error', reject);
      this.#server.listen(own, () => {
        if (own !== socket) {
          chmodSync(own, 0o600);
          renameSync(own, socket);
        }
        writeOwn(owner, JSON.stringify({ pid: process.pid, program: OWN_PROGRAM }));
        removeLocks(this.#place);
        setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
        resolve();
      });
      process.umask(mask);
    });
  }

  /** Takes no new clients, answers what was accepted, and ends. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    if (this.#isOwner()) for (const file of [this.#place.owner, this.#place.socket]) removeFile(file);
    this.#server.close();
    this.#endWhenDone();
  }

  #refusal({ version, program }: ClientHello): string | undefined {
    const isReplaced = program !== OWN_PROGRAM || programMark() !== this.#mark || version > PROTOCOL_VERSION;
    if (isReplaced) this.retire();
    if (isReplaced) return 'it belongs to another build of anyhook';
    if (this.#isRetired) return 'it is ending';
    // It stays: a new daemon would refuse an old client too.
    return version < PROTOCOL_VERSION ? `it uses protocol version ${PROTOCOL_VERSION}` : undefined;
  }
  #begin(): () => void {
    this.#pending += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#pending -= 1;
      this.#endWhenDone();
    };
  }
  async #answer(event: ClientEvent): Promise<EventAnswer> {
    const end = this.#begin();
    this.#lastEventMs = performance.now();
    try {
      return await this.#sessions.answer(event);
    } finally {
      this.#events += 1;
      this.#lastEventMs = performance.now();
      setImmediate(end); // after the answer was written
    }
  }
  #state(): DaemonState {
    return {
      pid: process.pid,
      version: version(),
      program: OWN_PROGRAM,
      sessions: this.#sessions.size,
      events: this.#events,
      rssBytes: residentBytes(),
    };
  }
  #isOwner(): boolean {
    return ownerIn(this.#place)?.pid === process.pid;
  }
  #look(): void {
    this.#sessions.closeIdle();
    const isIdle = this.#pending === 0 && performance.now() - this.#lastEventMs > IDLE_MS;
    // Without its owner file no client can find it: another daemon took its place, or the home folder was removed.
    if (isIdle || !this.#isOwner()) this.retire();
  }
  #endWhenDone(): void {
    if (!this.#isRetired || this.#pending > 0) return;
    void this.#sessions.close().finally(this.#onEnd);
  }
}

/** Clients create one before they start a daemon, so that ten of them start one. */
function removeLocks({ locks }: DaemonPlace): void {
  if (!existsSync(locks)) return;
  for (const name of readdirSync(locks))
    if (name.startsWith('starting.')) rmSync(join(locks, name), { force: true });
}

function removeFile(file: string): void {
  if (process.platform === 'win32' && file.startsWith('\\\\.\\')) return;
  rmSync(file, { force: true });
}
