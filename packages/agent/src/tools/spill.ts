/**
 * Shortens long output for the model to its beginning and end. A temporary file keeps the rest until the agent exits.
 */

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHOWN = 30_000;
const LARGEST_FILE = 64 * 1024 * 1024;

let folder: string | undefined;
let made = 0;

function newFile(): string {
  if (folder === undefined) {
    const mine = mkdtempSync(join(tmpdir(), 'anyhook-agent-'));
    folder = mine;
    process.once('exit', () => rmSync(mine, { recursive: true, force: true }));
  }
  return join(folder, `output-${++made}.txt`);
}

export class Spill {
  #head = '';
  #tail = '';
  #length = 0;
  #file: string | undefined;
  #trouble = '';

  append(text: string): void {
    const before = this.#length;
    this.#length += text.length;
    if (this.#length > SHOWN) this.#store(before <= SHOWN ? this.#whole() + text : text);
    const room = Math.max(0, SHOWN / 2 - this.#head.length);
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-SHOWN / 2);
  }

  /** The text for the model, and the file with the rest. */
  get shown(): { readonly text: string; readonly file?: string } {
    if (this.#length <= SHOWN) return { text: this.#whole() };
    const left = this.#length - this.#head.length - this.#tail.length;
    const where = this.#trouble || `the full output is in ${this.#file}`;
    const text = `${this.#head}\n[… ${left} characters left out; ${where} …]\n${this.#tail}`;
    return { text, ...(this.#file !== undefined && { file: this.#file }) };
  }

  #whole(): string {
    return this.#head + this.#tail;
  }

  #store(text: string): void {
    if (this.#trouble !== '') return;
    try {
      appendFileSync((this.#file ??= newFile()), text, { mode: 0o600 });
      if (this.#length > LARGEST_FILE) this.#trouble = `the first ${LARGEST_FILE} are in ${this.#file}`;
    } catch (error) {
      this.#trouble = `they could not be kept: ${(error as Error).message}`;
    }
  }
}

/** Shortens a complete text. */
export function spilled(text: string): Spill['shown'] {
  const spill = new Spill();
  spill.append(text);
  return spill.shown;
}
