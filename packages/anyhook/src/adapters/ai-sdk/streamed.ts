/** A call that shows values while it runs and ends with another: what it pushed, as it comes, then its result. */
export async function* streamed(
  call: (push: (value: unknown) => void) => Promise<unknown>,
): AsyncGenerator<unknown, void> {
  const waiting: unknown[] = [];
  let wake = () => {};
  let ended = false;
  const result = call((value) => {
    waiting.push(value);
    wake();
  }).finally(() => {
    ended = true;
    wake();
  });
  // Heard below; a reader that leaves early must not make it an unhandled rejection.
  result.catch(() => {});
  while (!ended || waiting.length > 0) {
    if (waiting.length > 0) yield waiting.shift();
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  yield await result;
}

/** Only a function that is written as a generator says beforehand that it streams. */
export const isGenerator = (fn: unknown): boolean =>
  Object.prototype.toString.call(fn) === '[object AsyncGeneratorFunction]';
