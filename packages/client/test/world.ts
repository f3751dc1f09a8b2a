/** A home for one client: its folder, a program it may start, and a daemon that a test scripts. */

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientContent, clientFor, nodeClient } from '../../anyhook/src/daemon/client-file.ts';
import { type Frame, frame, readHello, readRequest, type Request } from './frames.ts';

export type ClientKind = 'native' | 'node';
/** `ANYHOOK_TEST_CLIENT=linux-arm64` runs the suite with that client under qemu. */
export const EMULATED = process.env['ANYHOOK_TEST_CLIENT'] === 'linux-arm64';
const source = EMULATED ? clientFor('linux', 'arm64') : clientFor(process.platform, process.arch);
const native = source.kind === 'native' ? source.file : undefined;
export const CLIENTS: readonly ClientKind[] = ['native', 'node'];
export const NATIVE_IS_MISSING = native === undefined;

/** What the fake program wrote down about one start of its. */
export interface Call {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: string;
  readonly pid: number;
  readonly openFiles?: readonly string[];
}
/** What the fake program does when it is started directly, and as a daemon. */
export interface Behaviour {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly bytes?: number;
  readonly waitMs?: number;
  readonly background?: boolean;
  readonly skipsInput?: boolean;
  readonly signal?: NodeJS.Signals;
  readonly daemon?: 'listen' | 'crash' | 'leave' | 'hang';
  readonly daemonWaitMs?: number;
  /** The daemon answers with the length of the request instead of its process id. */
  readonly daemonEcho?: boolean;
  /** A named pipe to listen on. */
  readonly socket?: string;
}
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
  readonly ms: number;
}
export interface RunOptions extends Pick<SpawnOptions, 'cwd' | 'stdio'> {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Null: stdin stays open. */
  readonly stdin?: string | Buffer | null;
  readonly started?: (child: ChildProcess) => unknown;
}

export class World {
  readonly root = mkdtempSync(join(tmpdir(), 'ah-'));
  readonly state = join(this.root, 'state');
  readonly socket = join(this.state, 'socket');
  readonly program = join(this.root, 'program.cjs');
  readonly command = join(this.root, 'bin/anyhook-client');
  readonly kind: ClientKind;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(kind: ClientKind) {
    this.kind = kind;
    mkdirSync(this.state, { mode: 0o700 });
    mkdirSync(join(this.root, 'bin'));
    if (kind === 'native') copyFileSync(native ?? '', EMULATED ? `${this.command}.arm64` : this.command);
    if (kind === 'native' && EMULATED)
      writeFileSync(this.command, '#!/bin/sh\nexec /usr/bin/qemu-aarch64 -0 "$0" "$0.arm64" "$@"\n');
    if (kind === 'node')
      writeFileSync(this.command, clientContent(nodeClient(), { node: process.execPath, isManaged: false }));
    chmodSync(this.command, 0o755);
    copyFileSync(join(import.meta.dirname, 'fake-program.cjs'), this.program);
    this.behave({});
    this.configure({});
  }

  configure(
    conf: Partial<Record<'node' | 'program' | 'socket' | 'starting' | 'managed', string | undefined>>,
  ): void {
    const values = { node: process.execPath, program: this.program, socket: this.socket, ...conf };
    const lines = Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [`${key}=${value}\n`],
    );
    writeFileSync(join(this.root, 'bin/anyhook-client.conf'), lines.join(''));
  }
  behave(behaviour: Behaviour): void {
    writeFileSync(join(this.root, 'behaviour.json'), JSON.stringify(behaviour));
  }

  /** The lock that a client makes now, or a number of periods of 20 seconds later. */
  lock(later = 0): string {
    return join(this.state, `starting.${Math.floor(Date.now() / 20_000) + later}`);
  }
  /** Names of the locks that are there. */
  locks(): string[] {
    return readdirSync(this.state).filter((name) => name.startsWith('starting'));
  }

  calls(command: 'bridge' | 'daemon'): Call[] {
    const file = join(this.root, 'calls');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    return lines.map((line) => JSON.parse(line) as Call).filter(({ args }) => args[0] === command);
  }

  /** Runs the client to its end. */
  run({ args = ['codex'], stdin = '', env, started, ...options }: RunOptions = {}): Promise<Ending> {
    const begin = performance.now();
    const child = spawn(this.command, args, { ...options, env: { ...process.env, ...env } });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin?.on('error', () => {}); // a client that ends before it has read everything
    if (stdin !== null) child.stdin?.end(stdin);
    started?.(child);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        const bytes = Buffer.concat(out);
        const stderr = Buffer.concat(err).toString();
        resolve({ code, signal, stdout: bytes.toString(), bytes, stderr, ms: performance.now() - begin });
      });
    });
  }

  /** A daemon that does what `script` says on every connection. Returns what it read. */
  async daemon(
    script: (conversation: Conversation) => Promise<void>,
    path = this.socket,
  ): Promise<Conversation[]> {
    const conversations: Conversation[] = [];
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      const conversation = new Conversation(socket);
      conversations.push(conversation);
      script(conversation).catch((error: unknown) => conversation.problems.push(error));
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return conversations;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    for (const { pid } of [...this.calls('daemon'), ...this.calls('bridge')]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // has ended
      }
    }
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** One connection, as the daemon sees it. */
export class Conversation {
  readonly socket: Socket;
  readonly problems: unknown[] = [];
  hello: ReturnType<typeof readHello> | undefined;
  request: Request | undefined;
  received = 0;
  #bytes: Buffer[] = [];
  #length = 0;
  #wake = (): void => {};
  readonly closed: Promise<void>;

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        resolve();
        this.#wake();
      });
    });
    socket.on('error', () => {}); // a client that is gone
    socket.on('data', (chunk) => {
      this.#bytes.push(chunk);
      this.#length += chunk.length;
      this.received += chunk.length;
      this.#wake();
    });
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#length < length) {
      if (this.socket.destroyed) throw new Error('the client closed the connection');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const all = Buffer.concat(this.#bytes);
    this.#bytes = [all.subarray(length)];
    this.#length -= length;
    return all.subarray(0, length);
  }
  async read(): Promise<Frame> {
    const head = await this.#take(5);
    return { type: head.readUInt8(4), body: await this.#take(head.readUInt32BE(0) - 1) };
  }
  send(bytes: Buffer): void {
    this.socket.write(bytes);
  }
  /** Everything up to the request, as the protocol wants it. */
  async accept(): Promise<Request> {
    this.hello = readHello(await this.read());
    this.send(frame('READY'));
    this.request = readRequest(await this.read());
    return this.request;
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
