/** A session whose hooks include modules: it runs in a process of its own, with the environment of its agent. */

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { NativeOutput } from '../console/speak.ts';
import type { WaitingProcesses } from '../events/event.ts';
import { ownProgramFile } from '../own-files.mjs';
import { judgingEnvironment } from './caller-environment.ts';
import type { ClientEvent } from './frames.ts';

const PROGRAM = ownProgramFile('daemon/session-program');
/** An idle process that does not exit within this time after the request is killed. */
const END_MS = 5000;

/** What a process of modules has once, and events of one session may have differently. */
export interface SessionEnvironment extends Pick<ClientEvent, 'env' | 'cwd'> {
  /** Equal for equal environments. */
  readonly key: string;
}
export interface SessionRequest extends Pick<ClientEvent, 'args' | 'cwd' | 'env'> {
  readonly waiting: WaitingProcesses;
  readonly text: string;
  /** How long the event was on its way before it was handed over. */
  readonly spentMs: number;
}
export type ToSession =
  | { readonly kind: 'event'; readonly id: number; readonly request: SessionRequest }
  | {
      readonly kind: 'end';
    };
/** `stale`: nothing was run, because a file has changed since the modules were loaded. */
export type FromSession =
  | { readonly kind: 'answer'; readonly id: number; readonly output: NativeOutput }
  | { readonly kind: 'stale'; readonly id: number };

export type SessionReply = NativeOutput | 'stale' | 'ended';

export class SessionProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: SessionReply) => void>();
  #lastId = 0;
  #isClosing = false;
  #isEnded = false;
  #environment: string;

  constructor({ env, cwd, key }: SessionEnvironment) {
    this.#environment = key;
    this.#child = fork(PROGRAM, [], {
      cwd: existsSync(cwd) ? cwd : '/', // it may have been removed since
      env: judgingEnvironment(env),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message) => this.#receive(message as FromSession));
    this.#child.on('error', () => this.#end());
    // Not on `exit`: answers that were sent before it may still arrive.
    this.#child.on('disconnect', () => this.#end());
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }
  get inFlight(): number {
    return this.#waiting.size;
  }

  /** Its variables are those of the event already, or can be changed because no event is being answered. */
  canTake({ key }: SessionEnvironment): boolean {
    return !this.#isClosing && !this.#isEnded && (this.#environment === key || this.inFlight === 0);
  }

  /** Never rejects. `ended`: the process is gone and hooks of the event may have run. */
  answer(request: SessionRequest, { key }: SessionEnvironment): Promise<SessionReply> {
    const id = ++this.#lastId;
    this.#environment = key;
    return new Promise((resolve) => {
      if (this.#isEnded || !this.#child.connected) return resolve('ended');
      this.#waiting.set(id, resolve);
      this.#send({ kind: 'event', id, request });
    });
  }

  /** Takes no more events, answers what it has, and ends. */
  close(): void {
    if (this.#isClosing || this.#isEnded) return;
    this.#isClosing = true;
    this.#send({ kind: 'end' });
    setTimeout(() => this.inFlight === 0 && this.kill(), END_MS).unref();
  }
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: ToSession): void {
    if (this.#child.connected) this.#child.send(message, (error) => error && this.#end());
    else this.#end();
  }
  #receive(message: FromSession): void {
    const resolve = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    resolve?.(message.kind === 'answer' ? message.output : 'stale');
  }
  #end(): void {
    this.#isEnded = true;
    this.kill();
    for (const resolve of this.#waiting.values()) resolve('ended');
    this.#waiting.clear();
  }
}
