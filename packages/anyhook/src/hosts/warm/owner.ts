/** Which engine listens: what its clients and its successors know of it. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { isFields } from '../../canon/fields.ts';
import { readOwn } from '../../settings/own-file.ts';
import type { EngineStatus } from './engine.ts';
import type { EnginePlaces } from './places.ts';

export interface EngineOwner {
  readonly pid: number;
  readonly build: string;
  /** Of its start, as the system counts it: a pid may be somebody else's by now. */
  readonly started: string;
}

export function ownerIn(file: string): EngineOwner | undefined {
  try {
    const value: unknown = JSON.parse(readOwn(file)?.toString('utf8') ?? '');
    if (!isFields(value)) return undefined;
    const { pid, build, started } = value;
    if (typeof pid !== 'number' || typeof build !== 'string' || typeof started !== 'string') return undefined;
    return { pid, build, started };
  } catch {
    return undefined;
  }
}

/** Alive, and still the process that it was. */
export const isEngineAlive = ({ pid, started }: EngineOwner): boolean => startOf(pid) === started;

/** In ticks since the system began; the same pid with another number is another process. */
export function startOf(pid: number): string | undefined {
  try {
    return statOf(pid)[19];
  } catch {
    return undefined;
  }
}

/** What the system says of a process, after its name: state, parent, and so on. */
export const statOf = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');

/** Undefined when nobody answers in time. */
export function askStatus({ socket: path }: EnginePlaces, waitMs: number): Promise<EngineStatus | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    let text = '';
    const end = (): void => {
      socket.destroy();
      try {
        resolve(JSON.parse(text) as EngineStatus);
      } catch {
        resolve(undefined);
      }
    };
    socket.setTimeout(waitMs, end);
    socket.on('error', end);
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', end);
    socket.end('anyhook 1 status\n');
  });
}
