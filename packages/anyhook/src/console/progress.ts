/** Shows the current step and elapsed time in one line on stderr, only on a terminal. */

import { isatty } from 'node:tty';
import { brief } from '../render/safe.ts';

export interface Progress {
  /** The current step. */
  say(what: string): void;
  end(): void;
}

const SILENT: Progress = { say() {}, end() {} };

export function showProgress(first: string): Progress {
  if (!isatty(2) || process.env['TERM'] === 'dumb') return SILENT;
  const began = performance.now();
  let what = first;
  const draw = () => {
    const seconds = Math.floor((performance.now() - began) / 1000);
    const line = brief(`${what} …${seconds < 1 ? '' : ` ${seconds} s`}`, (process.stderr.columns || 80) - 1);
    process.stderr.write(`\r\u001B[K${line}`);
  };
  draw();
  const timer = setInterval(draw, 1000).unref();
  return {
    say(now) {
      what = now;
      draw();
    },
    end() {
      clearInterval(timer);
      process.stderr.write('\r\u001B[K');
    },
  };
}

/** Clears the line when the work is over, however it ends. */
export async function withProgress<T>(what: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = showProgress(what);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}
