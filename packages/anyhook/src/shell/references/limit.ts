/** The most shell or Python text that is followed: parsing hostile text must not cost the person a minute. */
export const MAX_FOLLOWED = 512 * 1024;
const MAX_DEPTH = 200;

/** Over the limit is never a reason to look less closely: it is refused. */
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
