/** A server that is a program. It runs in our folder and environment, leads its own process group, and ends when we do. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { LineReader } from '../console/line-reader.ts';
import { isFields } from '../events/fields.ts';
import { atExit } from '../runners/at-exit.ts';
import { endTree, processTreeOf } from '../runners/command/tree.mjs';
import { watchdog } from '../runners/command/watchdog.mjs';
import { fullOf, holdBack } from './flow.ts';
import type { Message } from './message.ts';
import { LARGEST_MESSAGE_BYTES, type ServerLink, type ServerListener } from './server-link.ts';

/** Time between the request to exit and the kill. */
const GRACE_MS = 2_000;
/** A child process of the server may hold its pipes open. */
const DRAIN_MS = 500;
const SHOWN = 200;

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

export class ProgramLink implements ServerLink {
  readonly #listener: ServerListener;
  readonly #lines: LineReader;
  readonly #child: ChildProcess;
  readonly #mark: string;
  readonly #takeBack: () => void;
  readonly #dog: ReturnType<typeof watchdog>;
  #isOver = false;

  constructor({ command, args, cwd }: ServerProgram, listener: ServerListener) {
    this.#listener = listener;
    this.#lines = new LineReader(
      {
        line: (text) => this.#hear(text),
        tooLong: (bytes) => void this.#tooLong(bytes),
      },
      LARGEST_MESSAGE_BYTES,
    );
    const session = randomBytes(8).toString('hex');
    this.#mark = `${session}-mcp`;
    this.#dog = watchdog(session);
    const child = spawn(command, [...args], {
      cwd,
      env: { ...process.env, ANYHOOK_RUN: (process.env['ANYHOOK_RUN'] ?? '') + this.#mark },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    this.#takeBack = atExit(() => child.kill());
    for (const pipe of [child.stdin, child.stdout]) pipe?.on('error', () => {}); // its end is handled below
    child.stdout?.on('data', (chunk: Buffer) => this.#lines.push(chunk));
    child.once('spawn', () => this.#dog.start(child.pid!, this.#mark));
    child.once('error', (error) => this.#over(`could not be started: ${error.message}`, 127));
    child.once('close', (code, signal) => this.#exited(code, signal));
    child.once('exit', (code, signal) => setTimeout(() => this.#exited(code, signal), DRAIN_MS).unref());
  }

  send(message: Message): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  get full(): Promise<void> | undefined {
    const { stdin } = this.#child;
    return stdin === null ? undefined : fullOf(stdin);
  }
  hold(until: Promise<void>): void {
    const { stdout } = this.#child;
    if (stdout !== null) holdBack(stdout, until);
  }

  finish(): void {
    this.#child.stdin?.end();
  }

  async close(): Promise<void> {
    this.finish();
    const { pid } = this.#child;
    if (pid !== undefined) await endTree(processTreeOf(pid, this.#mark), GRACE_MS);
  }

  #hear(line: string): void {
    const message = parsed(line);
    if (message === undefined)
      return this.#listener.trouble(`the server printed an invalid message: ${line.slice(0, SHOWN)}`);
    if (!Array.isArray(message)) return this.#listener.message(message as Message, line);
    for (const item of message) if (isFields(item)) this.#listener.message(item);
  }

  /** The answer's id is unknown, so its request would wait forever. */
  async #tooLong(bytes: number): Promise<void> {
    this.#over(`sent a message of ${bytes} bytes, more than ${LARGEST_MESSAGE_BYTES}`, 1);
    await this.close();
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    const cut = this.#lines.cut;
    if (cut !== '' && !this.#isOver)
      this.#listener.trouble(`the server ended within a message: ${cut.slice(0, SHOWN)}`);
    this.#over(
      `ended (${signal ?? `exit ${code}`})`,
      signal === null ? (code ?? 1) : 128 + constants.signals[signal],
    );
  }

  #over(how: string, code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#takeBack();
    const { pid } = this.#child;
    if (pid !== undefined) this.#dog.end(pid, this.#mark);
    this.#dog.close();
    this.#listener.ended(how, code);
  }
}

/** An object or a batch; undefined for anything else. */
function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
