import type { Reply } from '../events/exchange.ts';

export interface NativeOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/**
 * Maps a dialect's reply to exit code, stdout and stderr. A returned value is printed as JSON. A thrown error becomes the
 * refusal that every agent understands: exit 2 with the message on stderr.
 */
export function spoken(reply: Reply): NativeOutput {
  switch (reply.kind) {
    case 'exited':
      return { stdout: line(reply.stdout), stderr: line(reply.stderr), code: reply.code };
    case 'returned': {
      // A reply that mutates its argument is answered with that argument.
      const value = reply.value ?? reply.args.at(1);
      return { stdout: value === undefined ? '' : line(JSON.stringify(value)), stderr: '', code: 0 };
    }
    case 'threw':
      return { stdout: '', stderr: line(reply.message), code: 2 };
    case 'answered':
      return { stdout: line(reply.body), stderr: '', code: 0 };
    case 'broken':
      return { stdout: '', stderr: line(reply.why.detail ?? reply.why.kind), code: 2 };
  }
}

const line = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
