/**
 * Starts a script in its own process group and collects its output. Never rejects: a script that fails to start has an
 * exit code like any other.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { ShellOutput } from './output.ts';
import type { Script } from './script.ts';

export interface ScriptTerms {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly shell?: string;
  readonly signals: readonly AbortSignal[];
  /** Called with output as it arrives. */
  readonly print?: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
  readonly stdin: 'ignore' | 'pipe';
}
export interface RunningScript {
  readonly stdin: Writable | null;
  readonly done: Promise<ShellOutput>;
}

export function runScript(script: Script, terms: ScriptTerms): RunningScript {
  const refused = terms.signals.some(({ aborted }) => aborted)
    ? 'aborted before it started'
    : noFolder(terms.cwd);
  if (refused !== undefined) return { stdin: null, done: Promise.resolve(notRun(refused)) };
  const { file, args, prelude } = findShell(terms.shell);
  try {
    const child = spawn(file, [...args, '-c', prelude + script.text, '$', ...script.parameters], {
      cwd: terms.cwd,
      env: terms.env as NodeJS.ProcessEnv,
      stdio: [terms.stdin, 'pipe', 'pipe', ...script.inputs.map(() => 'pipe' as const)],
      detached: process.platform !== 'win32',
    });
    script.inputs.forEach((source, index) => feed(source, child.stdio[index + 3] as Writable));
    return { stdin: child.stdin, done: attend(child, terms) };
  } catch (error) {
    return { stdin: null, done: Promise.resolve(notRun(startError(error as NodeJS.ErrnoException))) };
  }
}

/** How long to wait for silent output after the exit while another process keeps it open. */
const HELD_MS = 150;

function attend(child: ChildProcess, { print, signals }: ScriptTerms): Promise<ShellOutput> {
  const forget = keepGroup(child);
  const stop = () => killChildGroup(child);
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true });
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let code: number | undefined;
    const settle = (failure?: string) => {
      clearTimeout(timer);
      forget();
      for (const signal of signals) signal.removeEventListener('abort', stop);
      for (const pipe of child.stdio) pipe?.destroy();
      const stderr = failure === undefined ? chunks.stderr : [...chunks.stderr, Buffer.from(`${failure}\n`)];
      resolve(new ShellOutput(Buffer.concat(chunks.stdout), Buffer.concat(stderr), code ?? NOT_RUN));
    };
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(settle, HELD_MS);
    };
    for (const stream of ['stdout', 'stderr'] as const) {
      (child[stream] as Readable).on('data', (chunk: Buffer) => {
        chunks[stream].push(chunk);
        print?.(stream, chunk);
        if (code !== undefined) rest();
      });
    }
    child.once('error', (error: NodeJS.ErrnoException) => settle(startError(error)));
    child.once('exit', (exitCode, signal) => {
      code = exitCode ?? 128 + (signal === null ? 0 : osConstants.signals[signal]);
      rest();
    });
    child.once('close', () => settle());
  });
}

const NOT_RUN = 126;
const notRun = (why: string) => new ShellOutput(Buffer.alloc(0), Buffer.from(`${why}\n`), NOT_RUN);

function noFolder(cwd: string): string | undefined {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
  return `${cwd} is not a folder, so that no command can run in it`;
}

const startError = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'E2BIG'
    ? 'the values are too large to pass to a program: pass them in a file, or after "<"'
    : `the shell could not be started: ${message}`;

/** Writes the value after `<` of a template. A reader that stops early is not a failure. */
function feed(source: unknown, into: Writable): void {
  into.on('error', () => {});
  readable(source)
    .on('error', () => into.destroy())
    .pipe(into);
}

function readable(source: unknown): Readable {
  if (source instanceof ReadableStream) return Readable.from(source as AsyncIterable<Uint8Array>);
  if (source instanceof Response)
    return source.body === null ? Readable.from([]) : Readable.from(source.body as AsyncIterable<Uint8Array>);
  if (source instanceof Blob) return Readable.from(source.stream() as AsyncIterable<Uint8Array>);
  return Readable.from([bytesOf(source as ArrayBuffer | ArrayBufferView)]);
}

const bytesOf = (source: ArrayBuffer | ArrayBufferView): Buffer =>
  ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);

/** Running process groups. None outlives a host that exits normally. */
const running = new Set<ChildProcess>();
let isListening = false;

/** Returns a function that removes it. */
function keepGroup(child: ChildProcess): () => void {
  running.add(child);
  if (!isListening) {
    isListening = true;
    process.once('exit', () => running.forEach(killChildGroup));
  }
  return () => void running.delete(child);
}

function killChildGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

interface FoundShell {
  readonly file: string;
  readonly args: readonly string[];
  /** Prepended to every script. */
  readonly prelude: string;
}

/** Bash if available, because its `echo` keeps backslashes like Bun's. Other shells get a replacement. */
function findShell(wanted: string | undefined): FoundShell {
  const file = wanted ?? (found ??= inPath('bash') ?? inPath('sh') ?? '/bin/sh');
  return basename(file).startsWith('bash')
    ? { file, args: ['-p'], prelude: '' } // -p: no startup files, and no functions or options from the environment
    : { file, args: [], prelude: PLAIN_ECHO };
}

let found: string | undefined;

const PLAIN_ECHO = `echo() { if [ "\${1-}" = -n ]; then shift; printf %s "$*"; else printf '%s\\n' "$*"; fi; }; `;

function inPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not found.
    }
  }
  return undefined;
}
