/** Frames of the client protocol, as bytes and as objects: docs/reference/protocol.md. */

export const PROTOCOL_VERSION = 1;
/** Counted without the length field. */
export const MAX_FRAME_BYTES = 72 * 1024 * 1024;

/** One event, as the client passes it on. */
export interface ClientEvent {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Process id of the client's parent; 0 if unknown. */
  readonly parent: number;
  /** Milliseconds until the client gives up. */
  readonly leftMs: number;
  readonly stdin: Buffer;
}

export interface DaemonState {
  readonly pid: number;
  readonly version: string;
  readonly program: string;
  readonly sessions: number;
  readonly events: number;
  readonly rssBytes: number;
}

/** Which protocol a client uses, and which program it would start itself. */
export interface ClientHello {
  readonly version: number;
  readonly program: string;
}
export type ClientMessage =
  | ({ readonly kind: 'hello' } & ClientHello)
  | { readonly kind: 'request'; readonly event: ClientEvent }
  | { readonly kind: 'status' }
  | { readonly kind: 'stop' };
export type DaemonMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'retired'; readonly reason: string }
  | { readonly kind: 'working' }
  | { readonly kind: 'answer'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'state'; readonly state: DaemonState };
export type Message = ClientMessage | DaemonMessage;

const TYPES = {
  hello: 1,
  ready: 2,
  retired: 3,
  request: 4,
  working: 5,
  answer: 6,
  failed: 7,
  status: 8,
  state: 9,
  stop: 10,
} as const satisfies Record<Message['kind'], number>;

/** The other side did not keep to the protocol. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export function encodeFrame(message: Message): Buffer {
  const body = Buffer.concat(bodyOf(message));
  const head = Buffer.allocUnsafe(5);
  head.writeUInt32BE(body.length + 1);
  head.writeUInt8(TYPES[message.kind], 4);
  return Buffer.concat([head, body]);
}

function bodyOf(message: Message): readonly Buffer[] {
  switch (message.kind) {
    case 'hello': {
      const version = Buffer.allocUnsafe(2);
      version.writeUInt16BE(message.version);
      return [version, ...string(message.program)];
    }
    case 'request': {
      const { args, cwd, env, parent, leftMs, stdin } = message.event;
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      const numbers = [number(parent), number(leftMs), number(stdin.length)];
      return [...list(args), ...string(cwd), ...list(variables), ...numbers, stdin];
    }
    case 'retired':
    case 'failed':
      return string(message.reason);
    case 'answer':
      return [Buffer.from([message.code]), ...string(message.stdout), ...string(message.stderr)];
    case 'state':
      return string(JSON.stringify(message.state));
    case 'ready':
    case 'working':
    case 'status':
    case 'stop':
      return [];
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
function string(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return [number(bytes.length), bytes];
}
const list = (texts: readonly string[]): readonly Buffer[] => [
  number(texts.length),
  ...texts.flatMap(string),
];

/** Collects chunks and returns each complete message. Throws a `FrameError` if the bytes are no frame. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;

  push(chunk: Buffer): Message[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Message[] = [];
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      const all = this.#joined();
      messages.push(messageIn(all[4]!, all.subarray(5, 4 + length)));
      this.#chunks = [all.subarray(4 + length)];
      this.#size -= 4 + length;
    }
    return messages;
  }

  /** Length of the next frame, if it is complete. */
  #nextLength(): number | undefined {
    if (this.#size < 5) return undefined;
    if (this.#chunks[0]!.length < 4) this.#joined();
    const length = this.#chunks[0]!.readUInt32BE();
    if (length < 1 || length > MAX_FRAME_BYTES) throw new FrameError(`a frame of ${length} bytes`);
    return this.#size >= 4 + length ? length : undefined;
  }
  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }
}

function messageIn(type: number, body: Buffer): Message {
  const fields = new Fields(body);
  const message = readMessage(type, fields);
  fields.end();
  return message;
}

function readMessage(type: number, fields: Fields): Message {
  switch (type) {
    case TYPES.hello:
      return { kind: 'hello', version: fields.uint16(), program: fields.text() };
    case TYPES.request: {
      const [args, cwd, variables] = [fields.list(), fields.text(), fields.list()];
      const [parent, leftMs, stdin] = [fields.uint32(), fields.uint32(), fields.bytes()];
      return { kind: 'request', event: { args, cwd, env: environmentIn(variables), parent, leftMs, stdin } };
    }
    case TYPES.retired:
      return { kind: 'retired', reason: fields.text() };
    case TYPES.failed:
      return { kind: 'failed', reason: fields.text() };
    case TYPES.answer:
      return { kind: 'answer', code: fields.uint8(), stdout: fields.text(), stderr: fields.text() };
    case TYPES.state:
      return { kind: 'state', state: JSON.parse(fields.text()) as DaemonState };
    case TYPES.ready:
      return { kind: 'ready' };
    case TYPES.working:
      return { kind: 'working' };
    case TYPES.status:
      return { kind: 'status' };
    case TYPES.stop:
      return { kind: 'stop' };
    default:
      throw new FrameError(`an unknown message type ${type}`);
  }
}

/** The first of two entries with one name counts, as in `getenv`. */
function environmentIn(variables: readonly string[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const variable of variables) {
    const at = variable.indexOf('=');
    const name = variable.slice(0, at);
    if (at > 0 && !Object.hasOwn(env, name)) env[name] = variable.slice(at + 1);
  }
  return env;
}

/** Reads the fields of one body in order. */
class Fields {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }
  uint8(): number {
    return this.#take(1).readUInt8();
  }
  uint16(): number {
    return this.#take(2).readUInt16BE();
  }
  uint32(): number {
    return this.#take(4).readUInt32BE();
  }
  bytes(): Buffer {
    return this.#take(this.uint32());
  }
  text(): string {
    return this.bytes().toString();
  }
  list(): string[] {
    const count = this.uint32();
    // Each string takes four bytes, so a larger count cannot be true and must not allocate.
    if (count > (this.#body.length - this.#at) / 4) throw new FrameError('a list longer than its frame');
    return Array.from({ length: count }, () => this.text());
  }
  end(): void {
    if (this.#at !== this.#body.length) throw new FrameError('a frame longer than its fields');
  }
  #take(bytes: number): Buffer {
    if (this.#at + bytes > this.#body.length) throw new FrameError('a field longer than its frame');
    this.#at += bytes;
    return this.#body.subarray(this.#at - bytes, this.#at);
  }
}
