/** An optional PIN, so that a program which can reach the page or the terminal cannot answer for its user. Only a scrypt hash is stored. */

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFields } from '../events/fields.ts';
import { makeFolder } from '../settings/make-folder.ts';
import { readOwn } from '../settings/own-file.ts';

const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const BYTES = 32;
/** After this many wrong PINs in a row, the next try has to wait. */
const FREE_TRIES = 5;
const PAUSE_MS = 30_000;

export const pinFileIn = (dataFolder: string): string => join(dataFolder, 'approval-pin.json');

export class Pin {
  readonly #file: string;
  #wrong = 0;
  #lastMs = -Infinity;

  constructor(file: string) {
    this.#file = file;
  }
  /** Also if the file cannot be read or others can write it. Then no PIN is right, until the user deletes the file. */
  get isSet(): boolean {
    return lstatSync(this.#file, { throwIfNoEntry: false }) !== undefined;
  }
  set(pin: string): void {
    const salt = randomBytes(16);
    makeFolder(dirname(this.#file));
    const stored = { salt: salt.toString('base64'), hash: hashOf(pin, salt).toString('base64') };
    writeFileSync(this.#file, `${JSON.stringify(stored)}\n`, { mode: 0o600 });
  }
  remove(): void {
    rmSync(this.#file, { force: true });
  }
  /** `wait`: too many wrong PINs, and this one was not looked at. */
  check(pin: string | undefined): 'right' | 'wrong' | 'wait' {
    if (!this.isSet) return 'right';
    if (this.#wrong >= FREE_TRIES && performance.now() - this.#lastMs < PAUSE_MS) return 'wait';
    if (pin !== undefined && this.#isRight(pin)) {
      this.#wrong = 0;
      return 'right';
    }
    this.#wrong += 1;
    this.#lastMs = performance.now();
    return 'wrong';
  }

  #isRight(pin: string): boolean {
    try {
      const stored: unknown = JSON.parse(String(readOwn(this.#file)));
      if (!isFields(stored)) return false;
      const [salt, hash] = [stored['salt'], stored['hash']].map((part) =>
        Buffer.from(String(part), 'base64'),
      );
      return hash!.length === BYTES && timingSafeEqual(hashOf(pin, salt!), hash!);
    } catch {
      return false;
    }
  }
}

const hashOf = (pin: string, salt: Buffer): Buffer => scryptSync(pin.normalize('NFKC'), salt, BYTES, COST);
