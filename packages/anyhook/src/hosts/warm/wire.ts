/**
 * What a client and the engine say to each other. A client is a few lines of shell: it sends two lines about itself, then the
 * payload, and takes apart what comes back with nothing but the shell's own word splitting.
 */
import type { NativeOutput } from '../console/speak.ts';

/** One event, as a client sends it. */
export interface WarmRequest {
  /** Whose environment and folder count; and who started it, by which it is known to be of our own pid namespace. */
  readonly pid: number;
  readonly parent: number;
  /** The program that would answer otherwise: an engine of another one makes room. */
  readonly bin: string;
  /** The words after `fire`. */
  readonly argv: readonly string[];
  readonly text: string;
}

/** The two lines that come before the payload. */
export interface WarmHead extends Omit<WarmRequest, 'text'> {
  /** In bytes. */
  readonly length: number;
}

const HEAD = /^anyhook 1 (\d{1,10}) (\d{1,10}) fire ([\w./:@=+, -]*)\n([^\n]{1,4096})\n$/;

/** Undefined for what no client of ours sends. */
export function headIn(bytes: Buffer): WarmHead | undefined {
  const length = bytes.indexOf('\n', bytes.indexOf('\n') + 1) + 1;
  const found = HEAD.exec(bytes.toString('utf8', 0, length));
  if (found === null) return undefined;
  const [, pid, parent, words, bin] = found;
  return {
    pid: Number(pid),
    parent: Number(parent),
    bin: bin!,
    argv: words!.split(' ').filter((word) => word !== ''),
    length,
  };
}
/** A client asks again for the answer to an event that was taken, by its pid. */
export const againIn = (bytes: string): number | undefined => {
  const [, pid] = /^anyhook 1 again (\d{1,10})\n$/.exec(bytes) ?? [];
  return pid === undefined ? undefined : Number(pid);
};
/** The same, for a client that is a program of ours. */
export const requestText = ({ pid, parent, bin, argv, text }: WarmRequest): string =>
  `anyhook 1 ${pid} ${parent} fire ${argv.join(' ')}\n${bin}\n${text}`;

/** From here on the event is the engine's: unless it says otherwise, no client starts its hooks again. */
export const TAKEN = 'taken';
/** Sent while hooks run, so that a client can tell a long hook from a dead engine. */
export const STILL_HERE = '.';
/** An engine that has not taken an event by then is not waited for. Whole seconds: `nc` knows no others. */
export const TAKEN_WITHIN_S = 1;
/** One that has taken it is asked again, and then given up when it says nothing for so long. */
export const SILENT_FOR_S = 3;
export const STILL_HERE_EVERY_MS = 100;
/** Between the fields. */
export const SEPARATOR = '\u001E';

/**
 * What follows `TAKEN`. `cold`: nothing was started; `lost`: hooks were started, and what they said is lost: each of them has
 * failed. The last field says that nothing was cut off. A shell reads a line letter by letter: one that is not short, and
 * every other answer of several lines, begins on the second.
 */
export function answerText(answer: NativeOutput | 'cold' | 'lost'): string {
  const fields =
    typeof answer === 'string' ? [answer, '', ''] : [answer.code, plain(answer.stdout), plain(answer.stderr)];
  const text = ['', ...fields, 'whole'].join(SEPARATOR);
  return text.length <= SHORT_LINE && !text.includes('\n') ? text : `\n${text}`;
}
const SHORT_LINE = 256;

/** Nothing more comes. */
export const isWhole = (heard: string): boolean =>
  heard === 'cold' || (heard.startsWith(TAKEN) && heard.split(SEPARATOR)[4] === 'whole');

/** What a client has heard, taken apart. `cold`: not taken; `lost`: taken, and the rest of it never came. */
export function answerIn(heard: string): NativeOutput | 'cold' | 'lost' | undefined {
  if (heard === 'cold') return 'cold';
  if (!heard.startsWith(TAKEN)) return undefined;
  const [, code = 'lost', stdout = '', stderr = '', end] = heard.split(SEPARATOR);
  if (end !== 'whole' || code === 'lost') return 'lost';
  return code === 'cold' ? 'cold' : { code: Number(code), stdout, stderr };
}

/** No answer of ours has such a byte in it; what a hook wrote past us could. A shell cannot hold a NUL. */
const plain = (text: string): string => text.replaceAll(SEPARATOR, '\uFFFD').replaceAll('\0', '\uFFFD');
