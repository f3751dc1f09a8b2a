// Calls with handles (functions, streams, responses) beside our own messages: theirs are JSON lists, ours JSON objects.

/** A transport for an `RpcSession` on a channel of lines. */
export class RpcLines {
  /** @type {(line: string) => void} */
  #write;
  /** @type {string[]} */
  #heard = [];
  /** @type {{ resolve: (line: string) => void, reject: (error: Error) => void } | undefined} */
  #waiting;
  /** @type {Error | undefined} */
  #over;

  /** @param {(line: string) => void} write */
  constructor(write) {
    this.#write = write;
  }

  /** @param {string} line */
  static isOne(line) {
    return line.startsWith('[');
  }

  /** @param {string} line */
  take(line) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#heard.push(line);
    else waiting.resolve(line);
  }

  /**
   * Every call that waits, and every later one, is rejected with this.
   * @param {Error} why
   */
  end(why) {
    this.#over = why;
    this.#waiting?.reject(why);
    this.#waiting = undefined;
  }

  /** @param {string} message */
  send(message) {
    if (this.#over === undefined) this.#write(message);
  }

  /** @returns {Promise<string>} */
  receive() {
    const line = this.#heard.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (this.#over !== undefined) return Promise.reject(this.#over);
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }
}
