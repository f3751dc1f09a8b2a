import type { Reply } from '../events/exchange.ts';

export interface NativeOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/**
 * A dialect's answer on the three roads a program has. What a function would return goes out as JSON; what it would
 * throw is the one thing that every agent understands as a refusal: exit 2, with the words on stderr.
 */
export function spoken(reply: Reply): NativeOutput {
  switch (reply.kind) {
    case 'exited':
      return { stdout: line(reply.stdout), stderr: line(reply.stderr), code: reply.code };
    case 'returned': {
      // What answers by writing to what it was handed answers with that.
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
