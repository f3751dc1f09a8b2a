/** A session whose hooks include modules: it runs in a process of its own, with the environment of its agent. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ownProgramFile } from '../../own-files.mjs';
import type { NativeOutput } from '../console/speak.ts';
import { withRedirectsAside } from './caller-environment.ts';
import type { ClientEvent } from './frames.ts';

const PROGRAM = ownProgramFile('hosts/daemon/session-program');
/** How long an idle process may take to end before it is killed. */
const END_MS = 5000;

export interface SessionRequest extends Pick<ClientEvent, 'args' | 'cwd' | 'env'> {
  readonly text: string;
  /** How long the event was on its way before it was handed over. */
  readonly spentMs: number;
}
export type ToSession =
  | { readonly kind: 'event'; readonly id: number; readonly request: SessionRequest }
  | {
      readonly kind: 'end';
    };
/** `stale`: no hook was run, because a file has changed since the modules were loaded. */
export type FromSession =
  | { readonly kind: 'answer'; readonly id: number; readonly output: NativeOutput }
  | { readonly kind: 'stale'; readonly id: number };

export type SessionReply = NativeOutput | 'stale' | 'ended';

export class SessionProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: SessionReply) => void>();
  #lastId = 0;
  #isEnded = false;

  constructor({ env, cwd }: Pick<ClientEvent, 'env' | 'cwd'>) {
    this.#child = fork(PROGRAM, [], {
      cwd: existsSync(cwd) ? cwd : '/', // it may have been removed since
      env: withRedirectsAside(env),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
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

  /** Never rejects. `ended`: the process is gone and hooks of the event may have run. */
  answer(request: SessionRequest): Promise<SessionReply> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      if (this.#isEnded || !this.#child.connected) return resolve('ended');
      this.#waiting.set(id, resolve);
      this.#send({ kind: 'event', id, request });
    });
  }

  /** Takes no more events, answers what it has, and ends. */
  close(): void {
    if (this.#isEnded) return;
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
