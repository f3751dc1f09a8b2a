/** Shortens text without splitting characters or JSON documents. */

/** Returns at most `bytes` bytes of UTF-8 and never splits a character. */
export function cutText(text: string, bytes: number): string {
  if (text.length <= bytes / 3 || Buffer.byteLength(text) <= bytes) return text;
  const raw = Buffer.from(text);
  let end = bytes;
  while (end > 0 && (raw[end]! & 0xc0) === 0x80) end--; // inside a character: go back to its first byte
  return raw.toString('utf8', 0, end);
}

/**
 * Returns JSON text of at most `bytes` bytes that still parses, with its long strings shortened. A script
 * that reads one field with a JSON tool then keeps working. Returns null if the text already fits.
 */
export function cutJson(value: unknown, bytes: number): string | null {
  const whole = JSON.stringify(value) ?? 'null';
  if (Buffer.byteLength(whole) <= bytes) return null;
  for (let longest = Math.floor(bytes / 2); longest >= 16; longest = Math.floor(longest / 2)) {
    const shorter = JSON.stringify(value, (_, leaf: unknown) =>
      typeof leaf === 'string' ? cutText(leaf, longest) : leaf,
    );
    if (Buffer.byteLength(shorter) <= bytes) return shorter;
  }
  return '{}';
}
