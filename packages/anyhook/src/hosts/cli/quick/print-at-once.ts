import { writeSync } from 'node:fs';

const STREAMS = { 1: 'stdout', 2: 'stderr' } as const;

/** At once: Node's streams take longer to make than the answer to say. Where nobody reads any more, it is lost. */
export function printAtOnce(
  fd: 1 | 2,
  text: string,
  later: (rest: Uint8Array) => unknown = (rest) => process[STREAMS[fd]].write(rest),
): void {
  if (text === '') return;
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') return; // the exit code is read too
    // Whoever reads there reads slowly, from a pipe that does not make us wait.
    if (code !== 'EAGAIN') throw error;
    later(bytes.subarray(written));
  }
}
