/** Converts a value in `${…}` of a template to shell words. */
export type Word =
  | { readonly kind: 'text'; readonly text: string }
  /** Part of the script, unchanged. */
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'input'; readonly source: unknown };

export function shellWords(value: unknown): Word[] {
  if (Array.isArray(value)) return value.flatMap(shellWords);
  if (typeof value === 'object' && value !== null) return [wordOf(value)];
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`a ${typeof value} cannot be passed to a command`);
  return [text(String(value))];
}

function wordOf(value: object): Word {
  if ('raw' in value && typeof value.raw === 'string') return { kind: 'raw', text: value.raw };
  if (isReadable(value)) return { kind: 'input', source: value };
  const written = String(value);
  if (/^\[object .*\]$/.test(written))
    throw new TypeError(
      `${written} cannot be passed to a command: pass a string, a number or a list of them`,
    );
  return text(written);
}

const isReadable = (value: object): boolean =>
  value instanceof ReadableStream ||
  value instanceof Blob ||
  value instanceof Response ||
  value instanceof ArrayBuffer ||
  ArrayBuffer.isView(value);

function text(written: string): Word {
  if (!written.includes('\0')) return { kind: 'text', text: written };
  throw new TypeError(
    `${JSON.stringify(written.slice(0, 80))} contains a NUL byte, which arguments cannot contain`,
  );
}
