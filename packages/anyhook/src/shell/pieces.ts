/** How the expansions of a word come together to words: what is split, what is joined. */

/** Stands around what only run time knows, where the rest of a word is known. */
export const UNKNOWN = '\uE002';

export interface Open {
  readonly done: readonly string[];
  readonly last: string;
  readonly begun: boolean;
}
/** Whole words; the first joins what stands before it, the last what follows. */
export interface WordPiece {
  readonly words: readonly string[];
  /** Space before the first, or behind the last. */
  readonly breaks?: { readonly before: boolean; readonly after: boolean };
}

export function join({ done, last, begun }: Open, { words, breaks }: WordPiece): Open {
  const before = breaks?.before === true && begun ? [...done, last] : [...done];
  const start = breaks?.before === true ? '' : last;
  if (words.length === 0) return { done: before, last: start, begun: begun && breaks?.before !== true };
  const all = [`${start}${words[0]}`, ...words.slice(1)];
  return breaks?.after === true
    ? { done: [...before, ...all], last: '', begun: false }
    : { done: [...before, ...all.slice(0, -1)], last: all.at(-1) ?? '', begun: true };
}

export function splitPieces(text: string): WordPiece {
  const words = text.split(/[ \t\n]+/).filter((word) => word !== '');
  return { words, breaks: { before: /^\s/.test(text), after: /\s$/.test(text) } };
}

/** The words of `{a,,b}`, without another list in it and without what only run time knows. */
export const braceElements = (text: string): string[] | undefined =>
  /^\{([^{}'"\\`$]*,[^{}'"\\`$]*)\}$/.exec(text)?.[1]?.split(',');

/** `{rm,-rf,y}`: one list inside a word, without another in it. */
export function braceWords(text: string, known: 'all' | 'around'): WordPiece[] | undefined {
  const inside = /^\{([^{}'"\\`]*,[^{}'"\\`]*)\}$/.exec(text)?.[1];
  if (inside === undefined || (inside.includes('$') && known === 'all')) return undefined;
  const words = inside.split(',').filter((word) => word !== '');
  return [{ words: words.map((word) => (word.includes('$') ? `${UNKNOWN}${word}${UNKNOWN}` : word)) }];
}

export function element(values: readonly (readonly string[])[] | undefined, index: string) {
  if (index === '@' || index === '*') return values;
  const at = Number(index);
  const found = values?.map((words) => words.at(at));
  return found?.every((word) => word !== undefined) ? found.map((word) => [word]) : undefined;
}
