/**
 * Characters that move the cursor, reorder the line or are invisible: C0, C1, zero-width, bidi, line
 * separators.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what this looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Escapes everything in a text that a terminal would interpret or hide. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
