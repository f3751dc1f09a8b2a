/** What a terminal would obey, hide or turn around: C0, C1, soft hyphen, bidi, zero-width, tags, halves of characters. */
const unsafe = (): RegExp =>
  // oxlint-disable-next-line no-control-regex -- control characters are the very thing looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** Text from hooks, files and models on its way to a terminal: what could steer it is shown, not sent. */
export const safe = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(unsafe(), (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });

/** The same for a line that holds colours of ours: they pass, whatever else a terminal would obey is shown. */
export const safeLine = (line: string): string =>
  line
    .split(COLOURS)
    .map((part, at) => (at % 2 === 0 ? safe(part) : part))
    .join('');
// oxlint-disable-next-line no-control-regex -- colours begin with one
const COLOURS = /(\u001b\[[\d;]*m)/;

/** JSON that a terminal can be shown: `JSON.stringify` leaves C1, bidi and the like as they are. */
export const safeJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(unsafe(), (character) =>
    Array.from({ length: character.length }, (_, at) => codeOf(character.charCodeAt(at))).join(''),
  );
const codeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** On one line, and not wider than it should be. */
export function brief(text: string, width: number): string {
  const line = safe(text).trim().replaceAll('\n', ' ⏎ ').replaceAll('\t', ' ');
  return widthOf(line) <= width ? line : `${cutTo(line, Math.max(0, width - 1))}…`;
}

/** Columns of a terminal, as most of them count. Our own colours take up none. */
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
// What Unicode says of a letter is looked up when such an expression is made: not before there is a letter to ask about.
const isNone = (character: string): boolean => /^[\p{Mn}\p{Me}\ufe00-\ufe0f]$/u.test(character);
const isTwo = (character: string): boolean =>
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]$|^\p{Emoji_Presentation}$|^[\u{20000}-\u{3fffd}]$/u.test(
    character,
  );
const columnsOf = (character: string): number =>
  character < '\u0300' ? 1 : isNone(character) ? 0 : isTwo(character) ? 2 : 1;
