const OPENERS = '({[';
const CLOSERS = ')}]';

/** `a|b(c|d),e{f,g}` → `a`, `b(c|d)`, `e{f,g}`. Throws a SyntaxError for brackets that do not pair. */
export function splitAlternatives(source: string): readonly string[] {
  if (/^[\w-]+$/.test(source)) return [source]; // most are one word
  const words: string[] = [];
  const open: string[] = [];
  let word = '';
  for (const character of source) {
    // Inside parentheses stands somebody's glob, in which only they need to pair.
    const [openers, closers] = open[0] === ')' ? ['(', ')'] : [OPENERS, CLOSERS];
    if (openers.includes(character)) open.push(CLOSERS[OPENERS.indexOf(character)]!);
    else if (closers.includes(character) && open.pop() !== character)
      throw new SyntaxError(`"${character}" closes nothing in "${source}"`);
    if (open.length === 0 && (character === '|' || character === ',')) {
      words.push(word.trim());
      word = '';
    } else word += character;
  }
  words.push(word.trim());
  if (open.length > 0) throw new SyntaxError(`"${open.at(-1)}" is missing in "${source}"`);
  if (words.includes('')) throw new SyntaxError(`a word is missing in "${source}"`);
  return words;
}
