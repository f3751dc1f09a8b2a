// One end of the RPC between a host and a module's process. Both ends are equal: each offers methods by name,
// calls those of the other, and hands out functions that the other may call as long as it holds them.

import { describeThrown } from '../module/thrown.mjs';
import { pack, unpack } from './pack.mjs';
import { LONGEST_LINE } from './wire.mjs';

/** @import { Reply } from '../../events/exchange.ts' */
/** @import { Message, Special } from './wire.mjs' */
/** @typedef {(...args: never[]) => unknown} Method */
/** @typedef {{ readonly resolve: (value: unknown) => void, readonly reject: (error: Error) => void }} Waiting */

/** The `this` of a method: the call that it serves. @typedef {{ readonly id: number | undefined, readonly signal: AbortSignal }} ServedCall */

export class RpcEnd {
  /** @type {(line: string) => void} */
  #write;
  /** @type {(name: string) => Method | undefined} */
  #methodOf;
  /** Functions that were handed out, by handle. @type {Map<number, Method>} */
  #handed = new Map();
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** Calls of the other end in progress. @type {Map<number, AbortController>} */
  #serving = new Map();
  /**
   * Tells the other end which of its functions were garbage-collected here.
   * @type {FinalizationRegistry<number>}
   */
  #held = new FinalizationRegistry((handle) => this.#send({ kind: 'release', handles: [handle] }));
  #lastId = 0;
  #lastHandle = 0;
  /** @type {Error | undefined} */
  #over;

  /**
   * @param {(line: string) => void} write
   * @param {(name: string) => Method | undefined} methodOf what the other end may call by name
   */
  constructor(write, methodOf) {
    this.#write = write;
    this.#methodOf = methodOf;
  }

  /**
   * Rejects with what the other end threw, or with how it ended. An abort of a signal among the arguments is
   * forwarded.
   * @param {string | number} to
   * @param {readonly unknown[]} args
   * @param {(id: number) => void} [sent] called with the number of the call
   * @returns {Promise<unknown>}
   */
  call(to, args, sent) {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const id = ++this.#lastId;
    /** @type {AbortSignal[]} */
    const followed = [];
    const cancel = () => this.cancel(id);
    const answer = new Promise((resolve, reject) => {
      const line = this.#callLine(id, to, args, (signal) => followed.push(signal)); // a throw rejects the promise
      this.#waiting.set(id, { resolve, reject });
      this.#write(line);
      sent?.(id);
      for (const signal of followed)
        if (signal.aborted) cancel();
        else signal.addEventListener('abort', cancel, { once: true });
    });
    const forget = () => followed.forEach((signal) => signal.removeEventListener('abort', cancel));
    if (followed.length > 0) answer.then(forget, forget);
    return answer;
  }

  /**
   * Sends a call without an answer; errors of the other end are not reported.
   * @param {string} to
   * @param {readonly unknown[]} args
   */
  notify(to, args) {
    if (this.#over === undefined) this.#write(this.#callLine(undefined, to, args, () => {}));
  }

  /** @param {number} id */
  cancel(id) {
    this.#send({ kind: 'cancel', id });
  }

  /** Throws for an invalid message, because the other end may be hostile. @param {string} line */
  take(line) {
    const message = /** @type {Message} */ (JSON.parse(line));
    switch (message.kind) {
      case 'call':
        return void this.#serve(message);
      case 'answer':
        return this.#answered(message);
      case 'cancel':
        return this.#serving.get(message.id)?.abort();
      case 'release':
        for (const handle of message.handles) this.#handed.delete(handle);
        return;
      default:
        throw new TypeError(
          `unknown message kind ${JSON.stringify(/** @type {{ kind: unknown }} */ (message).kind)}`,
        );
    }
  }

  /**
   * Rejects all pending and later calls with this error, and aborts the calls being served.
   * @param {Error} why
   */
  end(why) {
    this.#over = why;
    for (const { reject } of this.#waiting.values()) reject(why);
    for (const abort of this.#serving.values()) abort.abort();
    this.#waiting.clear();
    this.#serving.clear();
    this.#handed.clear();
  }

  /** @param {Extract<Message, { kind: 'call' }>} message */
  #serve({ id, to, args, specials }) {
    if ((typeof to !== 'string' && typeof to !== 'number') || !Array.isArray(args))
      throw new TypeError('a call without a target');
    const abort = new AbortController();
    const given = /** @type {never[]} */ (
      unpack(
        args,
        specials,
        this.#imports(() => abort.signal),
      )
    );
    if (id !== undefined) this.#serving.set(id, abort);
    const method = typeof to === 'string' ? this.#methodOf(to) : this.#handed.get(to);
    const missing = () => {
      throw new TypeError(typeof to === 'string' ? `unknown method '${to}'` : 'the function was released');
    };
    // `this` is the call being served.
    const run = async () =>
      /** @type {unknown} */ (await Reflect.apply(method ?? missing, { id, signal: abort.signal }, given));
    run().then(
      (value) => this.#answer(id, value),
      (/** @type {unknown} */ error) =>
        this.#answerWith(id, { kind: 'threw', ...describeThrown(error), args: [] }, []),
    );
  }

  /** @param {number | undefined} id @param {unknown} value */
  #answer(id, value) {
    if (id === undefined) return;
    try {
      const { json, specials } = pack(
        [value],
        this.#exports(() => {}),
      );
      const moved = specials.map(({ at, ...special }) => ({ at: at.slice(1), ...special }));
      this.#answerWith(
        id,
        `{"kind":"returned","value":${json.slice(1, -1)},"args":[]}`,
        /** @type {Special[]} */ (moved),
      );
    } catch (error) {
      const message = `the result cannot be sent: ${describeThrown(error).message}`;
      this.#answerWith(id, { kind: 'threw', message, args: [] }, []);
    }
  }

  /** @param {number | undefined} id @param {Reply | string} reply @param {readonly Special[]} specials */
  #answerWith(id, reply, specials) {
    if (id === undefined || this.#over !== undefined) return;
    this.#serving.delete(id);
    const json = typeof reply === 'string' ? reply : JSON.stringify(reply);
    this.#write(short(`{"kind":"answer","id":${id},"reply":${json}${listed(specials)}}`));
  }

  /** @param {Extract<Message, { kind: 'answer' }>} message */
  #answered({ id, reply, specials }) {
    if (reply.kind !== 'returned' && reply.kind !== 'threw') throw new TypeError('an answer without a reply');
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return; // unknown, or no longer waited for
    this.#waiting.delete(id);
    if (reply.kind === 'threw') waiting.reject(new Error(String(reply.message)));
    else
      waiting.resolve(
        unpack(
          reply.value,
          specials,
          this.#imports(() => new AbortController().signal),
        ),
      );
  }

  /** @param {number | undefined} id @param {string | number} to @param {readonly unknown[]} args @param {(signal: AbortSignal) => void} follow */
  #callLine(id, to, args, follow) {
    const { json, specials } = pack(args, this.#exports(follow));
    const numbered = id === undefined ? '' : `"id":${id},`;
    return short(`{"kind":"call",${numbered}"to":${JSON.stringify(to)},"args":${json}${listed(specials)}}`);
  }

  /** @param {(signal: AbortSignal) => void} follow @returns {import('./pack.mjs').Exports} */
  #exports(follow) {
    return {
      follow,
      handleOf: (fn) => {
        this.#handed.set(++this.#lastHandle, fn);
        return this.#lastHandle;
      },
    };
  }

  /** @param {() => AbortSignal} signal @returns {import('./pack.mjs').Imports} */
  #imports(signal) {
    return {
      signal,
      functionOf: (handle) => {
        const far = (/** @type {unknown[]} */ ...args) => this.call(handle, args);
        this.#held.register(far, handle);
        return far;
      },
    };
  }

  /** @param {Message} message */
  #send(message) {
    if (this.#over === undefined) this.#write(JSON.stringify(message));
  }
}

/**
 * Returns only own methods, because a module may ask for any name.
 * @param {Readonly<Record<string, Method>>} methods
 * @param {string} name
 */
export const methodIn = (methods, name) => (Object.hasOwn(methods, name) ? methods[name] : undefined);

/** @param {readonly Special[]} specials */
const listed = (specials) => (specials.length === 0 ? '' : `,"specials":${JSON.stringify(specials)}`);

/** Rejects a line that the other end would consider endless. @param {string} line */
function short(line) {
  if (line.length > LONGEST_LINE)
    throw new TypeError(`the message has more than ${LONGEST_LINE / 2 ** 20} MB`);
  return line;
}
