/**
 * A reply with undecoded output. Bytes are sent as they are and decoded where they are read.
 * @typedef {import('../../events/exchange.ts').Reply} Reply
 * @typedef {import('../../events/exchange.ts').ExitReply} Exited
 * @typedef {import('../../events/exchange.ts').BrokenReply} BrokenReply
 * @typedef {Omit<Exited, 'stdout' | 'stderr'> | Omit<BrokenReply, 'stdout' | 'stderr'>} Bare
 * @typedef {{ readonly bare: Bare, readonly printed?: { readonly stdout: Buffer, readonly stderr: Buffer } }} RawReply
 */

/**
 * @param {RawReply} raw
 * @returns {Reply}
 */
export function decodeReply({ bare, printed }) {
  if (printed === undefined) return /** @type {Reply} */ (bare);
  const [out, err] = [decode(printed.stdout), decode(printed.stderr)];
  const { notes, ...rest } = bare;
  const all = out.isReplaced || err.isReplaced ? { ...notes, replaced: /** @type {const} */ (true) } : notes;
  const text = { stdout: out.text, stderr: err.text };
  return /** @type {Reply} */ ({ ...rest, ...text, ...(all !== undefined && { notes: all }) });
}

/** @param {Buffer} bytes */
function decode(bytes) {
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      isReplaced: false,
    };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isReplaced: true };
  }
}
