/** The frames of docs/reference/protocol.md, for a daemon that a test scripts. */

export const TYPES = {
  HELLO: 1,
  READY: 2,
  RETIRED: 3,
  REQUEST: 4,
  WORKING: 5,
  ANSWER: 6,
  FAILED: 7,
} as const;
export type TypeName = keyof typeof TYPES;
export interface Frame {
  readonly type: number;
  readonly body: Buffer;
}
export interface Request {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly parent: number;
  readonly leftMs: number;
  readonly stdin: Buffer;
}

const integer = (value: number, size = 4): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};
export const string = (value: string | Buffer): Buffer =>
  Buffer.concat([integer(Buffer.byteLength(value)), Buffer.from(value)]);
export const frame = (type: TypeName | number, body: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([integer(1 + body.length), integer(typeof type === 'string' ? TYPES[type] : type, 1), body]);
export const answer = (code: number, stdout: string | Buffer = '', stderr: string | Buffer = ''): Buffer =>
  frame('ANSWER', Buffer.concat([integer(code, 1), string(stdout), string(stderr)]));
export const failed = (reason: string): Buffer => frame('FAILED', string(reason));
export const retired = (reason = 'another build'): Buffer => frame('RETIRED', string(reason));

/** Reads a body from its start, and throws unless it ends where its last field ends. */
class Fields {
  #at = 0;
  readonly #body: Buffer;
  constructor(body: Buffer) {
    this.#body = body;
  }
  integer(size = 4): number {
    this.#at += size;
    return this.#body.readUIntBE(this.#at - size, size);
  }
  string(): Buffer {
    const length = this.integer();
    this.#at += length;
    if (this.#at > this.#body.length) throw new Error('a string is longer than its frame');
    return this.#body.subarray(this.#at - length, this.#at);
  }
  list(): string[] {
    return Array.from({ length: this.integer() }, () => this.string().toString());
  }
  end(): void {
    if (this.#at !== this.#body.length) throw new Error('the frame is longer than its fields');
  }
}

export function readHello({ type, body }: Frame): { version: number; program: string } {
  if (type !== TYPES.HELLO) throw new Error(`not HELLO: ${type}`);
  const fields = new Fields(body);
  const hello = { version: fields.integer(2), program: fields.string().toString() };
  fields.end();
  return hello;
}

export function readRequest({ type, body }: Frame): Request {
  if (type !== TYPES.REQUEST) throw new Error(`not REQUEST: ${type}`);
  const fields = new Fields(body);
  const args = fields.list();
  const cwd = fields.string().toString();
  const env = Object.fromEntries(
    fields.list().map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
  const request = {
    args,
    cwd,
    env,
    parent: fields.integer(),
    leftMs: fields.integer(),
    stdin: fields.string(),
  };
  fields.end();
  return request;
}
