/** The lines that differ between two texts. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Longer texts are shown one below the other: the comparison table would be too large. */
const MOST = 600;
/** Context lines around a change. */
const AROUND = 2;

export function lineDiff(before: string, after: string): DiffLine[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  if (one.length > MOST || other.length > MOST)
    return [...one.map((text) => lineOf('gone', text)), ...other.map((text) => lineOf('new', text))];
  return trimmed(walk(one, other, commonLengths(one, other)));
}

const lineOf = (kind: DiffLine['kind'], text: string): DiffLine => ({ kind, text });

/** Lengths of the longest common subsequences, for each pair of suffixes. */
function commonLengths(one: readonly string[], other: readonly string[]): number[][] {
  const lengths = Array.from({ length: one.length + 1 }, () => Array<number>(other.length + 1).fill(0));
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      lengths[i]![j] =
        one[i] === other[j]
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}

function walk(one: readonly string[], other: readonly string[], lengths: number[][]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length)
    if (i < one.length && j < other.length && one[i] === other[j]) {
      lines.push(lineOf('same', one[i]!));
      i++;
      j++;
    } else if (i < one.length && (j === other.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      lines.push(lineOf('gone', one[i++]!));
    else lines.push(lineOf('new', other[j++]!));
  return lines;
}

function trimmed(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same');
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at === 0 || isNear(at - 1) ? [lineOf('same', '⋯')] : [];
  });
}
