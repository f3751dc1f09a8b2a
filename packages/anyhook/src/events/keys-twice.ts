/**
 * Detects duplicate keys in a JSON text. Parsers disagree on which of them counts, so a guard could judge
 * another call than the one that runs. Only counts characters and members, because it runs for every event.
 */
const [QUOTE, BACKSLASH, COLON] = [34, 92, 58];

/** `value` is the result of `JSON.parse`. */
export const hasKeysTwice = (text: string, value: unknown): boolean => colonsIn(text) !== membersOf(value);

/** Counts the colons outside of strings, one per member. */
function colonsIn(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = endOfText(text, i);
    else if (c === COLON) count++;
  }
  return count;
}
function endOfText(text: string, from: number): number {
  for (let to = text.indexOf('"', from + 1); ; to = text.indexOf('"', to + 1)) {
    let before = to - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((to - before) % 2 === 1) return to;
  }
}

function membersOf(root: unknown): number {
  let count = 0;
  const waiting: unknown[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    if (!Array.isArray(value)) count += members.length;
    for (const member of members) if (typeof member === 'object' && member !== null) waiting.push(member);
  }
  return count;
}
