import type { Readable } from 'node:stream';

const KEPT_CHARACTERS = 64 * 1024;
const BURST_BYTES = 1024 * 1024;
const PAUSE_MS = 50;

/**
 * Keeps the end of a process's output. Always reads, so that the process does not block on a full pipe, but
 * slowly, so that endless output does not keep the host busy.
 */
export class PrintedOutput {
  #tail = '';
  #dropped = 0;
  #burst = 0;
  readonly #stream: Readable;
  readonly #tell: ((text: string) => void) | undefined;
  #passedOn = 0;

  /** `tell` receives the output as it arrives, up to a limit. */
  constructor(stream: Readable, tell?: (text: string) => void) {
    this.#stream = stream;
    this.#tell = tell;
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => this.#take(chunk));
    stream.on('error', () => {}); // ends with the process
  }

  get text(): string {
    return this.#tail;
  }
  /** Number of dropped characters. */
  get dropped(): number {
    return this.#dropped;
  }

  #take(chunk: string): void {
    if (this.#passedOn < KEPT_CHARACTERS) this.#tell?.(chunk);
    this.#passedOn += chunk.length;
    const all = this.#tail + chunk;
    this.#tail = all.slice(-KEPT_CHARACTERS);
    this.#dropped += all.length - this.#tail.length;
    this.#burst += chunk.length;
    if (this.#burst < BURST_BYTES) return;
    this.#burst = 0;
    this.#stream.pause();
    setTimeout(() => this.#stream.resume(), PAUSE_MS).unref();
  }
}
