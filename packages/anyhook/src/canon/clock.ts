/**
 * The clock of `performance.now()`. Node loads a dozen files for it; our own program, which lives for one event, reads the same
 * clock by way of the process. The bundler puts this in the place of the global (`scripts/bundle.mjs`).
 */
let read = (): number => globalThis.performance.now();

export const performance = { now: (): number => read() };

const elapsedMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};

/** Only in a main thread: a worker's clock begins with the worker, and who opens hooks there goes by that. */
export function readProcessClock(): void {
  const began = elapsedMs() - process.uptime() * 1e3;
  read = () => elapsedMs() - began;
}
