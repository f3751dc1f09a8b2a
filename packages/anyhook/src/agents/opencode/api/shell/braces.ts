/** Expands `a{b,c}` to `ab`, `ac` like a shell. Braces without a comma are unchanged. */
export function braces(pattern: string): string[] {
  const found = firstList(pattern);
  if (found === undefined) return [pattern];
  const { open, close, commas } = found;
  const cuts = [open, ...commas, close];
  const choices = cuts.slice(1).map((end, index) => pattern.slice(cuts[index]! + 1, end));
  const rests = braces(pattern.slice(close + 1));
  return choices
    .flatMap(braces)
    .flatMap((choice) => rests.map((rest) => pattern.slice(0, open) + choice + rest));
}

/** The first pair of braces with a comma directly inside. */
function firstList(pattern: string): { open: number; close: number; commas: number[] } | undefined {
  for (let open = pattern.indexOf('{'); open !== -1; open = pattern.indexOf('{', open + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = open; at < pattern.length; at++) {
      if (pattern[at] === '\\') at++;
      else if (pattern[at] === '{') depth++;
      else if (pattern[at] === ',' && depth === 1) commas.push(at);
      else if (pattern[at] === '}' && --depth === 0) {
        if (commas.length > 0) return { open, close: at, commas };
        break;
      }
    }
  }
  return undefined;
}
