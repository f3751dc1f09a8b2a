/** What commands ask the daemon for: its state, and to stop. */

import { connect } from 'node:net';
import { isFields } from '../events/fields.ts';
import { readOwn } from '../settings/own-file.ts';
import { type ClientMessage, type DaemonState, encodeFrame, FrameReader, type Message } from './frames.ts';
import type { DaemonPlace } from './place.ts';

export interface DaemonOwner {
  readonly pid: number;
  readonly program: string;
}

/** The process that claims to listen. It may have ended since. */
export function ownerIn({ owner }: Pick<DaemonPlace, 'owner'>): DaemonOwner | undefined {
  try {
    const value: unknown = JSON.parse(String(readOwn(owner)));
    if (!isFields(value)) return undefined;
    const { pid, program } = value;
    return typeof pid === 'number' && typeof program === 'string' ? { pid, program } : undefined;
  } catch {
    return undefined; // no daemon has written one, or not in full
  }
}

/** `none`: the socket is not in use. `silent`: a process listens there and does not answer. */
export type DaemonReply<T> = T | 'none' | 'silent';

export function daemonState(place: DaemonPlace, waitMs: number): Promise<DaemonReply<DaemonState>> {
  return ask(place, { kind: 'status' }, waitMs, (message) =>
    message?.kind === 'state' ? message.state : undefined,
  );
}

/** Takes effect at once for new events; resolves when the daemon has accepted it. */
export const stopDaemon = (place: DaemonPlace, waitMs: number): Promise<DaemonReply<'stopping'>> =>
  ask(place, { kind: 'stop' }, waitMs, () => 'stopping');

/** A daemon that is stopped or stuck would keep every event waiting, so it is ended by force. */
export async function endIfUnresponsive(place: DaemonPlace, waitMs: number): Promise<void> {
  const owner = ownerIn(place);
  if (owner === undefined || (await daemonState(place, waitMs)) !== 'silent') return;
  try {
    process.kill(owner.pid, 'SIGKILL');
  } catch {
    // it has ended by now
  }
}

function ask<T>(
  { socket: path }: DaemonPlace,
  question: ClientMessage,
  waitMs: number,
  read: (message: Message | undefined) => T | undefined,
): Promise<DaemonReply<T>> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const reader = new FrameReader();
    let isConnected = false;
    const end = (reply: DaemonReply<T>): void => {
      socket.destroy();
      resolve(reply);
    };
    socket.setTimeout(waitMs, () => end('silent'));
    socket.on('connect', () => {
      isConnected = true;
      socket.write(encodeFrame(question));
    });
    socket.on('error', () => end(isConnected ? 'silent' : 'none'));
    socket.on('end', () => end(read(undefined) ?? 'silent'));
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const message of reader.push(chunk)) {
          const found = read(message);
          if (found !== undefined) return end(found);
        }
      } catch {
        end('silent'); // another program listens there
      }
    });
  });
}
