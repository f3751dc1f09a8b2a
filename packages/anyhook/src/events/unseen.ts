/** Controls, marks of direction, joiners, spaces that are none: what a person cannot tell from nothing, or from a space. */
const UNSEEN = /(?![ \t\r\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}]/u;
/** Some scripts are written with joiners, between letters of their own. */
const JOINED = /(?<=[\u0300-\u{10ffff}])[\u200c\u200d](?=[\u0300-\u{10ffff}])/gu;

/** The first letter that nobody sees, as `U+200B`. */
export function unseenLetter(text: string): string | undefined {
  const [letter] = UNSEEN.exec(text.replaceAll(JOINED, '')) ?? [];
  return letter && `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
