/**
 * Characters that a terminal interprets, hides or reorders: C0, C1, soft hyphen, bidi, zero-width, tags, lone
 * surrogates.
 */
const unsafe = (): RegExp =>
  // oxlint-disable-next-line no-control-regex -- control characters are the very thing looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** Escapes text from hooks, files and models for a terminal: control characters become visible. */
export const safe = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(unsafe(), (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });

/** Does the same for a line with our own colours, which are kept. */
export const safeLine = (line: string): string =>
  line
    .split(COLOURS)
    .map((part, at) => (at % 2 === 0 ? safe(part) : part))
    .join('');
// oxlint-disable-next-line no-control-regex -- colours begin with one
const COLOURS = /(\u001b\[[\d;]*m)/;

/** JSON for terminals. `JSON.stringify` alone does not escape C1, bidi and similar characters. */
export const safeJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(unsafe(), (character) =>
    Array.from({ length: character.length }, (_, at) => codeOf(character.charCodeAt(at))).join(''),
  );
const codeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** Puts text on one line and shortens it to a width. */
export function brief(text: string, width: number): string {
  const line = safe(text).trim().replaceAll('\n', ' ⏎ ').replaceAll('\t', ' ');
  return widthOf(line) <= width ? line : `${cutTo(line, Math.max(0, width - 1))}…`;
}

/** Number of terminal columns, as most terminals count them. Colours have no width. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.includes('\u001b') ? text.replaceAll(COLOUR, '') : text)
    width += columnsOf(character);
  return width;
}

export function cutTo(text: string, width: number): string {
  let [used, cut] = [0, ''];
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    cut += character;
  }
  return cut;
}

// oxlint-disable-next-line no-control-regex -- our own colours
const COLOUR = /\u001b\[\d+m/g;
// Unicode property patterns are slow to compile, so they are only created for characters beyond Latin.
const isNone = (character: string): boolean => /^[\p{Mn}\p{Me}\ufe00-\ufe0f]$/u.test(character);
const isTwo = (character: string): boolean =>
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]$|^\p{Emoji_Presentation}$|^[\u{20000}-\u{3fffd}]$/u.test(
    character,
  );
const columnsOf = (character: string): number =>
  character < '\u0300' ? 1 : isNone(character) ? 0 : isTwo(character) ? 2 : 1;
