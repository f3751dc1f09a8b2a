/** Returns the candidate that shares the most letter pairs with `written`, or undefined if none is similar. */
export function nearestOf(written: string, candidates: Iterable<string>): string | undefined {
  const wanted = pairsOf(written);
  let best: string | undefined;
  let most = 0.4;
  for (const candidate of candidates) {
    const pairs = pairsOf(candidate);
    let shared = 0;
    for (const [pair, count] of pairs) shared += Math.min(count, wanted.get(pair) ?? 0);
    const likeness = (2 * shared) / (sizeOf(pairs) + sizeOf(wanted) || 1);
    if (likeness > most) [best, most] = [candidate, likeness];
  }
  return best;
}

function pairsOf(text: string): Map<string, number> {
  const plain = ` ${text.trim().toLowerCase()} `;
  const pairs = new Map<string, number>();
  for (let at = 0; at < plain.length - 1; at++) {
    const pair = plain.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

const sizeOf = (pairs: ReadonlyMap<string, number>): number =>
  [...pairs.values()].reduce((sum, count) => sum + count, 0);
