/**
 * What a client and the engine say to each other. A client is a few lines of shell: it sends one line about itself, then the
 * payload, and takes apart what comes back with nothing but the shell's own word splitting.
 */
import type { NativeOutput } from '../console/speak.ts';

/** One event, as a client sends it. */
export interface WarmRequest {
  /** Whose environment and folder count. */
  readonly pid: number;
  /** The words after `fire`. */
  readonly argv: readonly string[];
  readonly text: string;
}

const FIRST_LINE = /^anyhook 1 (\d{1,10}) fire ([\w./:@=+, -]*)\n/;

/** Undefined for what no client of ours sends. */
export function requestIn(bytes: string): WarmRequest | undefined {
  const found = FIRST_LINE.exec(bytes);
  if (found === null) return undefined;
  return {
    pid: Number(found[1]),
    argv: found[2]!.split(' ').filter((word) => word !== ''),
    text: bytes.slice(found[0].length),
  };
}

/** From here on the event is the engine's: unless it says otherwise, no client starts its hooks again. */
export const TAKEN = 'taken';
/** Sent while hooks run, so that a client can tell a long hook from a dead engine. */
export const STILL_HERE = '.';
/** Between the fields. */
export const SEPARATOR = '\u001E';

/**
 * What follows `TAKEN`. `cold`: nothing was started; `lost`: hooks were started, and what they said is lost: each of them has
 * failed. The last field says that nothing was cut off.
 */
export const answerText = (answer: NativeOutput | 'cold' | 'lost'): string =>
  (typeof answer === 'string'
    ? ['', answer, '', '', 'whole']
    : ['', answer.code, plain(answer.stdout), plain(answer.stderr), 'whole']
  ).join(SEPARATOR);

/** No answer of ours has such a byte in it; what a hook wrote past us could. A shell cannot hold a NUL. */
const plain = (text: string): string => text.replaceAll(/[\u001E\0]/g, '\uFFFD');
