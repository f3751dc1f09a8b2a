/**
 * An SDK transport for a server that is a program. The SDK's own transport keeps the host alive and kills
 * only the server itself. Here the server leads a process group, ends with the host however that ends, and
 * keeps nothing alive.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpServer } from '../../events/hook.ts';
import { atExit } from '../at-exit.ts';
import { endTree, killTree, processTreeOf } from '../command/tree.mjs';
import { watchdog } from '../command/watchdog.mjs';
import { KeepAlive } from '../keep-alive.ts';
import { getDefaultEnvironment, ReadBuffer, serializeMessage } from './packed-sdk.ts';

/** Times between closing stdin, TERM and KILL. */
const LEAVE_MS = 500;
const GRACE_MS = 1_000;
const DRAIN_MS = 100;
const STDERR_KEPT = 2_000;

export type McpProgram = Extract<McpServer, { readonly command: string }>;
const SESSION = randomBytes(8).toString('hex');
let started = 0;
let dog: ReturnType<typeof watchdog> | undefined;

export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How it ended, with the last output on stderr; empty while it runs. */
  ended = '';
  readonly #server: McpProgram;
  readonly #cwd: string;
  readonly #mark = `${SESSION}-mcp${++started}`;
  readonly #messages = new ReadBuffer();
  #child: ChildProcess | undefined;
  #isClosing = false;
  #stderr = '';
  #takeBack = (): void => {};

  constructor(server: McpProgram, cwd: string) {
    this.#server = server;
    this.#cwd = server.cwd ?? cwd;
  }

  start(): Promise<void> {
    const { command, args = [], env } = this.#server;
    const child = spawn(command, [...args], {
      cwd: this.#cwd,
      env: {
        ...getDefaultEnvironment(),
        ...env,
        ANYHOOK_RUN: (process.env['ANYHOOK_RUN'] ?? '') + this.#mark,
      },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    this.#takeBack = atExit(() => child.kill());
    for (const pipe of child.stdio) pipe?.on('error', () => {});
    new KeepAlive(() => [child, ...child.stdio]).release();
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT);
    });
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    child.once('close', (code, signal) => this.#over(signal ?? `exit ${code}`));
    // A process that it left behind may hold its pipes open.
    child.once('exit', (code, signal) => {
      setTimeout(() => this.#over(signal ?? `exit ${code}`), DRAIN_MS).unref();
    });
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        this.#over(error.message);
        reject(error);
      });
      child.once('spawn', () => {
        (dog ??= watchdog(SESSION)).start(child.pid!, this.#mark);
        resolve();
      });
    });
  }

  /** Written or buffered completely; the deadline handles a server that reads slowly. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.ended !== '' || this.#child?.stdin?.writable !== true) throw new Error('the server has ended');
    this.#child.stdin.write(serializeMessage(message));
  }

  /** Closes stdin, then sends TERM, then KILL, also to everything that it started. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.ended !== '' || this.#isClosing) return;
    this.#isClosing = true;
    child.stdin?.end();
    await this.#gone(child, LEAVE_MS);
    await endTree(processTreeOf(child.pid, this.#mark), GRACE_MS);
  }

  #gone(child: ChildProcess, withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      const timer = setTimeout(resolve, withinMs);
      child.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #read(chunk: Buffer): void {
    try {
      this.#messages.append(chunk);
      for (;;) {
        const message = this.#next();
        if (message === null) return;
        if (message !== undefined) this.onmessage?.(message);
      }
    } catch (error) {
      this.onerror?.(error as Error); // larger than a message may be
      void this.close();
    }
  }
  /** Skips a line that is not a message, without ending the server. */
  #next(): JSONRPCMessage | null | undefined {
    try {
      return this.#messages.readMessage();
    } catch (error) {
      this.onerror?.(error as Error);
      return undefined;
    }
  }

  #over(how: string): void {
    if (this.ended !== '') return;
    const output = this.#stderr.trim();
    this.ended = output === '' ? how : `${how}: ${output}`;
    this.#takeBack();
    const pid = this.#child?.pid;
    if (pid !== undefined) {
      dog?.end(pid, this.#mark);
      void killTree(processTreeOf(pid, this.#mark)); // what it left behind
    }
    this.#messages.clear();
    this.onclose?.();
  }
}
