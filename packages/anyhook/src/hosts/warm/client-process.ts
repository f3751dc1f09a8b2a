/** Whose event it is: the environment and the folder of the process that asks, as the system knows them. */
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { type Ancestor, type AncestorMemory, ancestors } from '../../assembly/ancestors.ts';
import { nestingOf } from '../../assembly/depth-limit.ts';
import { type TraceHeaders, traceHeadersIn } from '../../canon/trace.ts';
import { statOf } from './owner.ts';
import type { WarmRequest } from './wire.ts';

interface ClientEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Of this one event: not part of the environment that a session's process is kept for. */
  readonly trace?: TraceHeaders;
}
export interface ClientProcess extends ClientEnvironment {
  readonly cwd: string;
}

/** An agent is above all of its events. */
const above: AncestorMemory = new Map();

/** Of the last one, by its bytes: an agent's clients all have the same, which is then one and the same object. */
let last: { readonly bytes: Buffer; readonly ancestors: object; readonly of: ClientEnvironment } | undefined;

/**
 * Undefined for a process that is not this user's, is gone, or has variables that are no text; and for one that was not started
 * with these words by that parent: seen from another pid namespace, its number is somebody else's.
 */
export function clientProcess({
  pid,
  parent,
  argv,
}: Pick<WarmRequest, 'pid' | 'parent' | 'argv'>): ClientProcess | undefined {
  try {
    const environ = bytesOf(`/proc/${pid}/environ`, isOurs);
    // As words of their own, or within the line that a shell was given.
    const started = bytesOf(`/proc/${pid}/cmdline`).toString().replaceAll('\0', ' ');
    if (!started.includes(`fire ${argv.join(' ')}`)) return undefined;
    if (statOf(pid)[1] !== String(parent)) return undefined;
    return {
      ...environmentIn(environ, ancestors(parent, above)),
      cwd: readlinkSync(`/proc/${pid}/cwd`),
    };
  } catch {
    return undefined;
  }
}

const isOurs = ({ uid }: Stats): boolean => uid === process.getuid?.();

const room = Buffer.allocUnsafeSlow(256 * 1024);
/** Of a file without a size, with as few calls as can be: it is in the way of every event. Throws where it may not be read. */
function bytesOf(file: string, mayRead?: (status: Stats) => boolean): Buffer {
  const fd = openSync(file, 'r');
  try {
    if (mayRead?.(fstatSync(fd)) === false) throw new Error(`${file} is another user's`);
    let size = 0;
    for (let got = -1; got !== 0; size += got) {
      got = readSync(fd, room, size, room.length - size, null);
      if (size + got === room.length) return Buffer.concat([room, readFileSync(fd)]);
    }
    return Buffer.from(room.subarray(0, size));
  } finally {
    closeSync(fd);
  }
}

function environmentIn(bytes: Buffer, over: readonly Ancestor[]): ClientEnvironment {
  if (last?.ancestors === over && last.bytes.equals(bytes)) return last.of;
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const env: Record<string, string> = {};
  for (const pair of text.split('\0')) {
    const at = pair.indexOf('=');
    if (at > 0 && !Object.hasOwn(env, pair.slice(0, at))) env[pair.slice(0, at)] = pair.slice(at + 1);
  }
  const { TRACEPARENT: _parent, TRACESTATE: _state, ...lasting } = env;
  const trace = traceHeadersIn(env);
  const of = {
    env: { ...lasting, ...nestingOf(env, over) } as ClientProcess['env'],
    ...(trace !== undefined && { trace }),
  };
  last = { bytes, ancestors: over, of };
  return of;
}
