/** One client of the daemon: hello, ready, request, answer. */

import type { Socket } from 'node:net';
import {
  type ClientEvent,
  type ClientHello,
  type DaemonMessage,
  type DaemonState,
  encodeFrame,
  FrameReader,
  type Message,
} from './frames.ts';
import type { EventAnswer } from './sessions.ts';

/** The client counts silence of ten seconds as the end of the daemon. */
const WORKING_EVERY_MS = 1000;
/** A connection that sends nothing is closed after this time. */
const HELLO_WITHIN_MS = 10_000;
/** For a client that does not read its answer. */
const READ_WITHIN_MS = 60_000;

export interface ConnectionHost {
  /** Why this daemon takes no new events from that client; undefined if it does. */
  refusal(client: ClientHello): string | undefined;
  answer(event: ClientEvent): Promise<EventAnswer>;
  state(): DaemonState;
  stop(): void;
  /** Called when the daemon has reported that it is ready; the request follows. */
  onReady(): () => void;
}

export function serveConnection(socket: Socket, host: ConnectionHost): void {
  const reader = new FrameReader();
  let expected: 'hello' | 'request' | 'nothing' = 'hello';
  let release: (() => void) | undefined;
  const send = (message: DaemonMessage): void => void (socket.writable && socket.write(encodeFrame(message)));
  const finish = (message: DaemonMessage): void => {
    expected = 'nothing';
    socket.setTimeout(READ_WITHIN_MS, () => socket.destroy());
    socket.end(encodeFrame(message));
  };

  function receive(message: Message): void {
    if (expected === 'hello' && message.kind === 'hello') return welcome(message);
    if (expected === 'request' && message.kind === 'request') return run(message.event);
    if (expected === 'hello' && message.kind === 'status')
      return finish({ kind: 'state', state: host.state() });
    if (expected === 'hello' && message.kind === 'stop') {
      socket.end();
      return host.stop();
    }
    socket.destroy(); // out of order
  }
  function welcome(hello: ClientHello): void {
    const refusal = host.refusal(hello);
    if (refusal !== undefined) return finish({ kind: 'retired', reason: refusal });
    expected = 'request';
    socket.setTimeout(0);
    release = host.onReady();
    send({ kind: 'ready' });
  }
  function run(event: ClientEvent): void {
    expected = 'nothing';
    const beat = setInterval(() => send({ kind: 'working' }), WORKING_EVERY_MS);
    void host.answer(event).then((answer) => {
      clearInterval(beat);
      finish('failed' in answer ? { kind: 'failed', reason: answer.failed } : { kind: 'answer', ...answer });
    });
  }

  socket.setTimeout(HELLO_WITHIN_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => release?.());
  // A client may close its half after the request. Before that, no event can follow.
  socket.on('end', () => void (expected !== 'nothing' && socket.destroy()));
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) receive(message);
    } catch {
      socket.destroy(); // these bytes are not our protocol
    }
  });
}
