/**
 * The protocol between host and helper: a JSON head and a body of raw bytes. Each frame has the length of the
 * head, the length of the body (4 bytes each), the head and the body.
 */
const LENGTHS = 8;

/**
 * @param {unknown} head
 * @param {Buffer[]} body
 */
export const frame = (head, ...body) => spelledFrame(JSON.stringify(head), ...body);

/**
 * @param {string} head as JSON
 * @param {Buffer[]} body
 * @returns {Buffer[]}
 */
export function spelledFrame(head, ...body) {
  const text = Buffer.from(head);
  const length = body.reduce((sum, part) => sum + part.length, 0);
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(length, 4);
  // Small frames are sent in one piece; a large body is not copied.
  return length < 65_536 ? [Buffer.concat([lengths, text, ...body])] : [lengths, text, ...body];
}

/**
 * Calls back for every complete frame of a stream. An incomplete frame at the end is ignored.
 * @param {import('node:stream').Readable} stream
 * @param {(head: any, body: Buffer) => void} call
 */
export function readFrames(stream, call) {
  /** @type {Buffer[]} */
  let chunks = [];
  let held = 0;
  let wanted = LENGTHS;
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < wanted) return;
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, held);
    for (wanted = lengthOf(bytes); bytes.length >= wanted; wanted = lengthOf(bytes)) {
      const { head, body } = parseFrame(bytes);
      call(head, body);
      bytes = bytes.subarray(wanted);
    }
    chunks = bytes.length > 0 ? [bytes] : [];
    held = bytes.length;
  });
}

/** @param {Buffer} bytes begins with a whole frame */
export function parseFrame(bytes) {
  const headEnd = LENGTHS + bytes.readUInt32BE(0);
  const head = JSON.parse(bytes.toString('utf8', LENGTHS, headEnd));
  return { head, body: bytes.subarray(headEnd, lengthOf(bytes)) };
}

/** @param {Buffer} bytes */
function lengthOf(bytes) {
  return bytes.length < LENGTHS ? LENGTHS : LENGTHS + bytes.readUInt32BE(0) + bytes.readUInt32BE(4);
}
