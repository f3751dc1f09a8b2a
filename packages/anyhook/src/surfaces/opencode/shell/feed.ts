import { Readable, type Writable } from 'node:stream';

/** Writes what a template put after `<`. A reader that stops early is no failure. */
export function feed(source: unknown, into: Writable): void {
  into.on('error', () => {});
  readable(source)
    .on('error', () => into.destroy())
    .pipe(into);
}

function readable(source: unknown): Readable {
  if (source instanceof ReadableStream) return Readable.from(source as AsyncIterable<Uint8Array>);
  if (source instanceof Response)
    return source.body === null ? Readable.from([]) : Readable.from(source.body as AsyncIterable<Uint8Array>);
  if (source instanceof Blob) return Readable.from(source.stream() as AsyncIterable<Uint8Array>);
  return Readable.from([bytesOf(source as ArrayBuffer | ArrayBufferView)]);
}

const bytesOf = (source: ArrayBuffer | ArrayBufferView): Buffer =>
  ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
