/** Shows hostile text so that it cannot mislead the user: control characters, bidi, look-alike letters and very long lines. */

import { brief, safe } from '../render/safe.ts';

/** One line of at most this many columns. */
export const revealed = (text: string, width: number): string =>
  brief(marked(text.slice(0, 4 * width)), width);

/** All lines. */
export const revealedText = (text: string): string => safe(marked(text));

/** Letters of other scripts that look like Latin ones are named where they stand among Latin letters: `pаypal` has a Cyrillic one. */
const marked = (text: string): string =>
  text.replaceAll(/[^\s"'`=:;|&<>()]+/gu, (word) =>
    /[a-z]/i.test(word) && LOOK_ALIKE.test(word)
      ? word.replaceAll(new RegExp(LOOK_ALIKE, 'gu'), (letter) => `‹U+${code(letter)}›`)
      : word,
  );

const LOOK_ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\uff01-\uff5e\u2010-\u2015\u2024\u2044\u2215\u29f8\u00a0\u2000-\u200a\u3000]|[\u{1d400}-\u{1d7ff}]/u;

const code = (letter: string): string =>
  (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
