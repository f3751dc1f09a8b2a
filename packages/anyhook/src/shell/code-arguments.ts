/** Finds calls in code whose strings are replaced by marks, and the texts that they are given. */

import { codePlaceOf, type CodeText } from './code-texts.ts';

const MOST_CALLS = 50;
const LONGEST_CALL = 2_000;

/** The arguments of each call, up to its closing bracket or the end of the statement. */
export function callsOf(pattern: RegExp, skeleton: string): string[] {
  const found: string[] = [];
  pattern.lastIndex = 0;
  for (
    let match = pattern.exec(skeleton);
    match !== null && found.length < MOST_CALLS;
    match = pattern.exec(skeleton)
  ) {
    const from = match.index + match[0].length;
    found.push(`${match[0].trim()}\n${skeleton.slice(from, callEnd(skeleton, from))}`);
    if (match[0] === '') pattern.lastIndex++;
  }
  return found;
}

function callEnd(text: string, from: number): number {
  let depth = 0;
  const limit = Math.min(text.length, from + LONGEST_CALL);
  for (let at = from; at < limit; at++) {
    const char = text.charAt(at);
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && --depth <= 0) return at + 1;
    else if (depth === 0 && (char === ';' || char === '\n')) return at;
  }
  return limit;
}

export function argumentsOf(
  call: string,
  texts: readonly CodeText[],
  known: ReadonlyMap<string, number>,
): readonly CodeText[] {
  const [, words = ''] = call.split('\n', 2);
  const rest = call.slice(call.indexOf('\n') + 1);
  const found = [...(rest === '' ? words : rest).matchAll(ARGUMENT)].flatMap(
    ([, letter, name]) =>
      texts[letter === undefined ? (known.get(name ?? '') ?? -1) : codePlaceOf(letter)] ?? [],
  );
  return found;
}
const ARGUMENT = /\uE001([\u{F0000}-\u{FFFFD}])|([$@]?[A-Za-z_]\w*)/gu;
