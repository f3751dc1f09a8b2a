/** A pattern with stars: one letter each, or any stretch of text. */
export type WildcardPart = typeof ANY_TEXT | ((letter: string) => boolean);
export const ANY_TEXT = '*';

/** In time that grows with pattern times text: as a regular expression, a pattern of many stars takes for ever. */
export function fitsWildcard(parts: readonly WildcardPart[], text: string): boolean {
  let [at, next, lastStar, from] = [0, 0, -1, 0];
  while (at < text.length) {
    const part = parts[next];
    if (part === ANY_TEXT) {
      lastStar = next++;
      from = at;
    } else if (part?.(text[at]!) === true) {
      at++;
      next++;
    } else if (lastStar !== -1) {
      // Only the last star can still take more: what the ones before it took is enough for what followed them.
      next = lastStar + 1;
      at = ++from;
    } else return false;
  }
  while (parts[next] === ANY_TEXT) next++;
  return next === parts.length;
}

export const isLetter =
  (wanted: string): WildcardPart =>
  (letter) =>
    letter === wanted;
