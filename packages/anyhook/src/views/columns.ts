/** Rows under each other; the last column takes what is left. */
export function columns(rows: readonly (readonly string[])[], gap = '  '): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, visibleLength(cell));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat(widths[i]! - visibleLength(cell))))
      .join(gap)
      .trimEnd(),
  );
}

// eslint-disable-next-line no-control-regex -- our own colours do not take up room
const visibleLength = (text: string): number => text.replace(/\u001b\[\d+m/g, '').length;
