/**
 * To make a stream takes longer than to answer most events, and an answer needs none (`print-at-once.ts`). So what is to be done about
 * one waits until somebody asks for it.
 */
export function whenMade(name: 'stdout' | 'stderr', made: (stream: NodeJS.WriteStream) => void): void {
  const get = Object.getOwnPropertyDescriptor(process, name)?.get;
  if (get === undefined) return made(process[name]);
  const say = (getter: () => unknown): void =>
    void Object.defineProperty(process, name, { enumerable: true, configurable: true, get: getter });
  say(() => {
    const stream = get.call(process) as NodeJS.WriteStream;
    say(() => stream);
    made(stream);
    return stream;
  });
}
