import { Writable } from 'node:stream';
import type { BunShellPromise } from '../types/index.ts';
import { ShellError, type ShellOutput } from './output.ts';
import { runScript, type RunningScript, type ScriptTerms } from './run-script.ts';
import type { Script } from './script.ts';

export interface Defaults {
  readonly cwd: string;
  readonly env: () => Readonly<Record<string, string | undefined>>;
  readonly throws: boolean;
  readonly shell?: string;
  readonly signal?: AbortSignal;
  readonly print: NonNullable<ScriptTerms['print']>;
}

/** A command that starts when it is awaited. */
export class ShellPromise extends Promise<ShellOutput> implements BunShellPromise {
  readonly #script: Script;
  readonly #defaults: Defaults;
  readonly #settle: (output: ShellOutput) => void;
  #running: RunningScript | undefined;
  #throws: boolean;
  #isQuiet = false;
  #cwd: string;
  #env: Readonly<Record<string, string | undefined>> | undefined;
  #signal: AbortSignal | undefined;

  constructor(script: Script, defaults: Defaults) {
    let resolve!: (output: ShellOutput) => void;
    let reject!: (error: ShellError) => void;
    super((yes, no) => ([resolve, reject] = [yes, no]));
    this.#script = script;
    this.#defaults = defaults;
    this.#cwd = defaults.cwd;
    this.#throws = defaults.throws;
    this.#settle = (output) =>
      output.exitCode !== 0 && this.#throws ? reject(new ShellError(output)) : resolve(output);
  }
  /** `then` returns an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  run(): this {
    this.#start('ignore');
    return this;
  }
  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise; waiting for it is what starts it
  override then<A = ShellOutput, B = never>(
    onDone?: ((output: ShellOutput) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.run();
    return super.then(onDone, onFailed);
  }
  get stdin(): WritableStream {
    const { stdin } = this.#start('pipe');
    if (stdin === null) throw new Error('the command is already running without input');
    return Writable.toWeb(stdin) as WritableStream;
  }

  cwd(folder?: string): this {
    this.#beforeStart();
    this.#cwd = folder === undefined || folder === '' ? this.#defaults.cwd : folder;
    return this;
  }
  env(variables?: Readonly<Record<string, string | undefined>>): this {
    this.#beforeStart();
    this.#env = variables;
    return this;
  }
  signal(signal: AbortSignal): this {
    this.#beforeStart();
    this.#signal = signal;
    return this;
  }
  quiet(isQuiet = true): this {
    this.#beforeStart();
    this.#isQuiet = isQuiet;
    return this;
  }
  nothrow(): this {
    return this.throws(false);
  }
  throws(shouldThrow: boolean): this {
    this.#throws = shouldThrow;
    return this;
  }

  async text(encoding?: BufferEncoding): Promise<string> {
    return (await this.quiet()).text(encoding);
  }
  async json() {
    return (await this.quiet()).json();
  }
  async *lines(): AsyncGenerator<string> {
    yield* (await this.quiet()).text().split('\n');
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.quiet()).arrayBuffer();
  }
  async bytes(): Promise<Uint8Array> {
    return (await this.quiet()).bytes();
  }
  async blob(): Promise<Blob> {
    return (await this.quiet()).blob();
  }

  #beforeStart(): void {
    if (this.#running !== undefined) throw new Error('Shell is already running');
  }
  #start(stdin: 'ignore' | 'pipe'): RunningScript {
    if (this.#running !== undefined) return this.#running;
    const { env, shell, signal, print } = this.#defaults;
    this.#running = runScript(this.#script, {
      cwd: this.#cwd,
      env: this.#env ?? env(),
      stdin,
      signals: [signal, this.#signal].filter((one) => one !== undefined),
      ...(shell !== undefined && { shell }),
      ...(!this.#isQuiet && { print }),
    });
    void this.#running.done.then(this.#settle);
    return this.#running;
  }
}
