/** How a process of ours hears a client, and answers it. */
import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import { type ClientProcess, clientProcess } from './client-process.ts';
import type { SessionAnswer } from './session-messages.ts';
import { answerText, headIn, STILL_HERE, STILL_HERE_EVERY_MS, TAKEN, type WarmHead } from './wire.ts';

/** What is said to a client goes here; a socket is one. */
export interface ClientLine {
  write(text: string): unknown;
  end(text: string): unknown;
  destroy(): unknown;
}

/** A payload larger than this is nobody's event. */
export const LARGEST_EVENT_BYTES = 64 * 1024 * 1024;

/** Found out with the head: the payload comes a little later, by a program that has to start first. */
export interface SeenClient {
  readonly head: WarmHead;
  readonly client: ClientProcess | undefined;
}
/** All that a client sends; `seen` is undefined where its head came in pieces. */
export function hearClient(
  socket: Socket,
  onWhole: (all: Buffer, seen: SeenClient | undefined) => void,
): void {
  let bytes: Buffer[] = [];
  let size = 0;
  let seen: SeenClient | undefined;
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    const head = size === 0 ? headIn(chunk) : undefined;
    if (head !== undefined) seen = { head, client: clientProcess(head) };
    bytes.push(chunk);
    if ((size += chunk.length) > LARGEST_EVENT_BYTES) socket.destroy();
  });
  socket.on('end', () => {
    const all = bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes);
    bytes = [];
    onWhole(all, seen);
  });
}

/** Undefined for what is no text. */
export const payloadIn = (all: Buffer, { length }: WarmHead): string | undefined =>
  isUtf8(all) ? all.toString('utf8', length) : undefined;

/** That it is taken is known by the name of what the client kept; it is said besides where the answer does not come at once. */
export async function sayAnswer(line: ClientLine, answer: Promise<SessionAnswer>): Promise<void> {
  let word = TAKEN;
  const beat = setInterval(() => {
    line.write(word);
    word = STILL_HERE;
  }, STILL_HERE_EVERY_MS);
  const text = answerText(await answer);
  clearInterval(beat);
  line.end(word === TAKEN ? `${TAKEN}${text}` : text);
}
