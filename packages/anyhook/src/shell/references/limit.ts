/** The longest shell or Python text that is followed. Hostile text must not take minutes to parse. */
export const MAX_FOLLOWED = 512 * 1024;
const MAX_DEPTH = 200;

/** Throws if the text exceeds a limit, because a partial analysis would miss code. */
export function refuseTooMuch(text: string): void {
  if (text.length > MAX_FOLLOWED)
    throw new RangeError(`it is longer than ${MAX_FOLLOWED} letters, the most that is followed`);
  let depth = 0;
  for (const letter of text.matchAll(/[(){}]/g)) {
    if (letter[0] === '(' || letter[0] === '{') depth++;
    else depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) throw new RangeError(`it is nested more than ${MAX_DEPTH} deep`);
  }
}
