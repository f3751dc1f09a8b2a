// Small charts as SVG: lines over a logarithmic axis, and bars. Colours work on light and dark pages.
const WIDTH = 640;
const HEIGHT = 320;
const EDGE = { left: 70, right: 20, top: 40, bottom: 50 };
const COLOURS = ['#2f6fde', '#d9822b', '#3a9d5d', '#8f5bd0'];
const GREY = '#808080';

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x, y, words, more = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="12" fill="${GREY}" ${more}>${escaped(words)}</text>`;
const page = (
  title,
  height,
  parts,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" role="img" aria-label="${escaped(title)}">
${text(EDGE.left, 20, title, 'font-weight="bold"')}
${parts.join('\n')}
</svg>
`;

/**
 * Both axes logarithmic: a cost that does not grow is a flat line.
 * @param {{ title: string, x: string, y: string, series: readonly { name: string, points: readonly (readonly [number, number])[] }[] }} about
 */
export function lines({ title, x, y, series }) {
  const all = series.flatMap(({ points }) => points);
  const span = (at) => {
    const values = all.map((point) => Math.log10(point[at]));
    return [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values))];
  };
  const [spanX, spanY] = [span(0), span(1)];
  const place = (value, [from, to], start, end) =>
    start + ((Math.log10(value) - from) / Math.max(1, to - from)) * (end - start);
  const px = (value) => place(value, spanX, EDGE.left, WIDTH - EDGE.right);
  const py = (value) => place(value, spanY, HEIGHT - EDGE.bottom, EDGE.top);
  const ticks = ([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  const shown = (value) => (value >= 1 ? value.toLocaleString('en') : String(value));
  return page(title, HEIGHT, [
    ...ticks(spanY).flatMap((tick) => [
      `<line x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${py(tick)}" y2="${py(tick)}" stroke="${GREY}" stroke-opacity="0.3"/>`,
      text(EDGE.left - 8, py(tick) + 4, shown(tick), 'text-anchor="end"'),
    ]),
    ...ticks(spanX).map((tick) =>
      text(px(tick), HEIGHT - EDGE.bottom + 18, shown(tick), 'text-anchor="middle"'),
    ),
    text((EDGE.left + WIDTH) / 2, HEIGHT - 12, x, 'text-anchor="middle"'),
    text(12, EDGE.top - 4, y),
    ...series.flatMap(({ name, points }, i) => [
      `<polyline fill="none" stroke="${COLOURS[i]}" stroke-width="2" points="${points.map(([a, b]) => `${px(a).toFixed(1)},${py(b).toFixed(1)}`).join(' ')}"/>`,
      ...points.map(
        ([a, b]) => `<circle cx="${px(a).toFixed(1)}" cy="${py(b).toFixed(1)}" r="3" fill="${COLOURS[i]}"/>`,
      ),
      text(WIDTH - EDGE.right, EDGE.top + 16 * (i + 1), name, `text-anchor="end" style="fill:${COLOURS[i]}"`),
    ]),
  ]);
}

/** @param {{ title: string, unit: string, bars: readonly { name: string, value: number, isOurs?: boolean }[] }} about */
export function bars({ title, unit, bars: list }) {
  const [row, start] = [28, 250];
  const most = Math.max(...list.map(({ value }) => value));
  return page(
    title,
    EDGE.top + row * list.length + 10,
    list.flatMap(({ name, value, isOurs = false }, i) => {
      const y = EDGE.top + row * i;
      const width = (value / most) * (WIDTH - start - 90);
      return [
        text(start - 10, y + 15, name, 'text-anchor="end"'),
        `<rect x="${start}" y="${y}" width="${width.toFixed(1)}" height="20" fill="${isOurs ? COLOURS[0] : GREY}"/>`,
        text(start + width + 8, y + 15, `${value.toFixed(1)} ${unit}`),
      ];
    }),
  );
}
