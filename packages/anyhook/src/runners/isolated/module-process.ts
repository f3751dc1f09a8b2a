import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { HookFailure } from '../../events/exchange.ts';
import { ownFile } from '../../own-files.mjs';
import { KeepAlive } from '../keep-alive.ts';
import { describeThrown } from '../module/thrown.mjs';
import { ownProgram, runtimeFacts } from '../own-program.ts';
import { PrintedOutput } from './printed.ts';
import { type Method, RpcEnd } from './rpc.mjs';
import { CHANNEL_FD, LIFELINE_FD, readLines } from './wire.mjs';

export interface ProcessOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly memoryMb: number;
  /** Receives the module's output. */
  readonly onPrinted?: (text: string) => void;
}
interface Listener {
  /** Returns a method that the process may call here. */
  methodOf(name: string): Method | undefined;
  /** Called once when the process has ended, with the reason. */
  gone(why: HookFailure): void;
}

const CHILD = ownFile('runners/isolated/child.mjs');
/** Memory that Node may use besides V8's heap before the process counts as leaking. */
const OVERHEAD_MB = 256;
/** Time for output that is still in the pipe when the process has ended. */
const DRAIN_MS = 100;
/** Variables for this process only: a debugger's port, a parent's channel. */
const PRIVATE = ['NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_V8_COVERAGE'];

/** One process with one module. Keeps this program alive only while something waits for it. */
export class ModuleProcess {
  readonly stdout: PrintedOutput | undefined;
  readonly stderr: PrintedOutput | undefined;
  /** The host's end of the RPC. */
  readonly rpc: RpcEnd;
  readonly #child: ChildProcess | undefined;
  readonly #channel: Socket | undefined;
  readonly #listener: Listener;
  #why: HookFailure | undefined;
  readonly #alive = new KeepAlive(() => [this.#child, ...(this.#child?.stdio ?? [])]);
  #gone = false;

  constructor(options: ProcessOptions, listener: Listener) {
    this.#listener = listener;
    this.rpc = new RpcEnd(
      (line) => {
        if (!this.#gone) this.#channel?.write(`${line}\n`);
      },
      (name) => listener.methodOf(name),
    );
    try {
      const child = start(options);
      this.#child = child;
      this.#channel = child.stdio[CHANNEL_FD] as Socket; // a pipe, by the spawn options
      this.stdout = new PrintedOutput(child.stdout!, options.onPrinted);
      this.stderr = new PrintedOutput(child.stderr!, options.onPrinted);
      child.on('error', (error) => this.#end({ kind: 'not-started', detail: error.message }));
      child.on('exit', (code, signal) =>
        this.#drained(() => this.#end(endOf(code, signal, this.stderr?.text ?? ''))),
      );
      this.#channel.on('error', () => {}); // the exit event reports it
      child.stdio[LIFELINE_FD]?.on('error', () => {});
      readLines(
        this.#channel,
        (line) => this.#take(line),
        () => this.kill(TOO_LONG),
      );
    } catch (error) {
      // Too large an environment throws synchronously.
      queueMicrotask(() => this.#end({ kind: 'not-started', detail: describeThrown(error).message }));
    }
  }

  /** Kills the whole group; `why` is reported instead of the signal. */
  kill(why: HookFailure): void {
    this.#why ??= why;
    signalGroup(this.#child, 'SIGKILL');
  }

  wake(): void {
    this.#alive.hold();
  }
  rest(): void {
    this.#alive.release();
  }

  #take(line: string): void {
    if (this.#gone || this.#why !== undefined) return;
    try {
      this.rpc.take(line);
    } catch (error) {
      this.kill({
        kind: 'unreadable',
        detail: `it wrote an invalid message: ${describeThrown(error).message}`,
      });
    }
  }

  #drained(then: () => void): void {
    signalGroup(this.#child, 'SIGKILL'); // kills what it started
    const timer = setTimeout(then, DRAIN_MS);
    this.#child?.once('close', () => {
      clearTimeout(timer);
      then();
    });
  }

  #end(why: HookFailure): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const pipe of this.#child?.stdio ?? []) pipe?.destroy();
    const reason = this.#why ?? why;
    this.#listener.gone(reason); // first, so that waiting hooks report how the process ended and not a lost call
    this.rpc.end(new Error(reason.detail ?? reason.kind));
  }
}

const TOO_LONG: HookFailure = { kind: 'unreadable', detail: 'it wrote a message that is too long' };

function start({ env, cwd, memoryMb }: ProcessOptions): ChildProcess {
  const program = ownProgram(runtimeFacts(), { but: 'bun' });
  if ('missing' in program) throw new Error(program.missing);
  const { node, args } = program;
  const allowed = Object.fromEntries(Object.entries(env).filter(([name]) => !PRIVATE.includes(name)));
  const limit = `--max-old-space-size=${memoryMb}`;
  return spawn(node, [limit, ...args, CHILD, String(memoryMb + OVERHEAD_MB)], {
    cwd,
    env: { ...allowed, ...program.env },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
}

function signalGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // No process is left.
  }
}

function endOf(code: number | null, signal: NodeJS.Signals | null, stderr: string): HookFailure {
  const last = stderr
    .trim()
    .split('\n')
    .findLast((line) => /\S/.test(line) && !/^\s+at |^Node\.js v/.test(line));
  const beside = last === undefined ? '' : `; its last output: ${last.trim().slice(0, 300)}`;
  return signal === null
    ? {
        kind: 'failed',
        detail: `its process exited with code ${code} before it answered${beside}`,
      }
    : { kind: 'killed', detail: `its process was killed by ${signal}${beside}` };
}
