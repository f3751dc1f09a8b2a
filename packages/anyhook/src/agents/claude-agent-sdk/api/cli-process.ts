/**
 * Runs the CLI: finds it or reports clearly that it is missing, keeps the end of its stderr, and makes sure that it
 * ends.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { ownProgram, STARTED_AS_HELPER } from '../../../runners/own-program.ts';
import { CliExitedError, CliNotFoundError } from './connection-errors.ts';

export interface CliOptions {
  /** The program, or a script for Node (`.js`, `.mjs`, `.cjs`); default: `claude` on the PATH. */
  readonly pathToClaudeCodeExecutable?: string;
  /** Appended to the arguments for frame output. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}
export interface CliEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

const SPEAKS_FRAMES = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
const IS_SCRIPT = /\.[cm]?js$/;

/** Node runs scripts, even if this program is a single executable. */
function scriptStart(path: string): [string, readonly string[], Readonly<Record<string, string>>] {
  const program = ownProgram();
  if ('missing' in program) throw new CliNotFoundError(program.missing);
  const { [STARTED_AS_HELPER]: _mark, ...env } = program.env; // the CLI is not one of our programs
  return [program.node, [...program.args, path], env];
}
/** Maximum length of the kept end of stderr. */
const KEPT = 8192;
/** Delay between the end of its input, SIGTERM and SIGKILL. */
const PATIENCE_MS = 5000;
/** A child of the CLI may keep its pipes open after it has ended. */
const DRAIN_MS = 1000;

export class CliProcess {
  readonly name: string;
  readonly input: Writable;
  readonly output: Readable;
  readonly ended: Promise<CliEnd>;
  readonly #child: ChildProcess;
  #stderr = '';
  #isOver = false;

  /** Rejects with a `CliNotFoundError` if the program is missing. */
  static async start(options: CliOptions): Promise<CliProcess> {
    const { pathToClaudeCodeExecutable: path = 'claude', args = [], cwd, env = process.env } = options;
    const [program, first, more] = IS_SCRIPT.test(path) ? scriptStart(path) : [path, [], {}];
    const child = spawn(program, [...first, ...SPEAKS_FRAMES, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...env, ...more },
      ...(cwd !== undefined && { cwd }),
      windowsHide: true,
    });
    await new Promise<void>((begin, fail) => {
      child.once('spawn', begin);
      child.once('error', (error) => fail(new CliNotFoundError(whyNot(path, cwd, error), { cause: error })));
    });
    return new CliProcess(path, child);
  }

  private constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    this.input = child.stdin!; // all three are pipes
    this.output = child.stdout!;
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT);
    });
    child.on('error', () => undefined); // `ended` handles a failed kill
    this.ended = this.#end();
    this.hold('no');
  }

  /** A CLI that nobody awaits does not keep the program running. */
  hold(whether: 'yes' | 'no'): void {
    const verb = whether === 'yes' ? 'ref' : 'unref';
    this.#child[verb]();
    for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr])
      (pipe as { ref?(): void; unref?(): void } | null)?.[verb]?.(); // pipes are sockets, but not by type
  }

  /** Ends its input, then sends SIGTERM, then SIGKILL. */
  async stop(manner: 'in-peace' | 'now'): Promise<void> {
    if (this.#isOver) return;
    this.hold('yes');
    this.input.end();
    if (manner === 'now') this.#child.kill('SIGTERM');
    else if (await this.#overWithin(PATIENCE_MS)) return;
    else this.#child.kill('SIGTERM');
    if (await this.#overWithin(PATIENCE_MS)) return;
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  async #end(): Promise<CliEnd> {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((end) => {
      this.#child.once('close', (...how) => end(how));
      this.#child.once('exit', (...how) => setTimeout(end, DRAIN_MS, how).unref());
    });
    this.#isOver = true;
    return { code, signal, stderr: this.#stderr.trim() };
  }

  #overWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((done) => (timer = setTimeout(done, ms, false)));
    return Promise.race([this.ended.then(() => true), late]).finally(() => clearTimeout(timer));
  }
}

function whyNot(path: string, cwd: string | undefined, error: NodeJS.ErrnoException): string {
  if (cwd !== undefined && !existsSync(cwd)) return `cannot start ${path}: the folder ${cwd} does not exist.`;
  if (error.code === 'ENOENT')
    return `cannot start ${path}: program not found. Install Claude Code, or set pathToClaudeCodeExecutable.`;
  return `cannot start ${path}: ${error.message}. Set pathToClaudeCodeExecutable to an executable program.`;
}

export function exited(name: string, { code, signal, stderr }: CliEnd, when: string): CliExitedError {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const output = stderr === '' ? 'It wrote nothing to stderr.' : `stderr: ${stderr}`;
  return new CliExitedError(`${name} ended ${how} ${when}. ${output}`, code, stderr);
}
