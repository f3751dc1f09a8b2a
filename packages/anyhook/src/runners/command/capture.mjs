/** Factor by which a stream may exceed its limit before the program is killed. */
export const FLOOD = 16;

/**
 * Keeps the first `cap` bytes of a stream and counts the rest. Never stops reading, so that the program does
 * not block.
 * @param {number} cap
 * @param {() => void} onFlood called once, far beyond the cap
 */
export function capture(cap, onFlood) {
  /** @type {Buffer[]} */
  const chunks = [];
  let held = 0;
  let dropped = 0;
  let flooded = false;
  return {
    /** @param {Buffer} chunk */
    take(chunk) {
      const room = cap - held;
      if (room > 0) {
        // Copied, so that the rest of a large chunk can be freed.
        const part = chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk;
        chunks.push(part);
        held += part.length;
      }
      dropped += Math.max(0, chunk.length - Math.max(0, room));
      if (!flooded && held + dropped > cap * FLOOD) {
        flooded = true;
        onFlood();
      }
    },
    /** Drops an incomplete last character, unless the program itself left it incomplete. */
    bytes() {
      const bytes = Buffer.concat(chunks, held);
      const whole = dropped > 0 ? bytes.subarray(0, bytes.length - cutTail(bytes)) : bytes;
      return { bytes: whole, dropped: dropped + bytes.length - whole.length };
    },
  };
}

/**
 * Returns the number of bytes at the end that start a character which was cut off.
 * @param {Buffer} bytes
 */
function cutTail(bytes) {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? back : 0;
  }
  return 0;
}
