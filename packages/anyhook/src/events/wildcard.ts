/** A pattern of single letters and stars; a star matches any text. */
export type WildcardPart = typeof ANY_TEXT | ((letter: string) => boolean);
export const ANY_TEXT = '*';

/**
 * Matches in time proportional to pattern times text. A regular expression with many stars can take
 * exponential time.
 */
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
      // Only the last star needs to take more text; backtracking to earlier ones cannot help.
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
