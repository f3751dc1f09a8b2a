/** Beyond these nothing is judged. "Not judged" counts as matching, so no length trick hides a command. */
export const LONGEST_TEXT = 1024 * 1024;
export const MOST_COMMANDS = 10_000;
export const DEEPEST_WRAPPING = 8;

/** The parser is linear on ordinary text, but each open bracket may cost it another pass over the rest. */
const SHORT_TEXT = 16 * 1024;
const MOST_EFFORT = 20_000_000;
const OPENERS = /[({`]|<</g;

/** Why a text is too big to be judged, or nothing. */
export function tooBig(text: string): string | undefined {
  if (text.length > LONGEST_TEXT) return `${text.length} characters, at most ${LONGEST_TEXT} are judged`;
  if (text.length <= SHORT_TEXT) return undefined;
  const openers = text.match(OPENERS)?.length ?? 0;
  if (openers * text.length <= MOST_EFFORT) return undefined;
  return `${openers} brackets in ${text.length} characters are too many to be judged`;
}
