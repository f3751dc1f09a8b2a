/**
 * Matches control characters, direction marks, joiners and unusual spaces: characters that users cannot see
 * or cannot tell from a space.
 */
const UNSEEN = /(?![ \t\r\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}]/u;
/** Joiners are legitimate between letters of some scripts. */
const JOINED = /(?<=[\u0300-\u{10ffff}])[\u200c\u200d](?=[\u0300-\u{10ffff}])/gu;

/** Returns the first invisible character as `U+200B`. */
export function unseenLetter(text: string): string | undefined {
  const [letter] = UNSEEN.exec(text.replaceAll(JOINED, '')) ?? [];
  return letter && `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
