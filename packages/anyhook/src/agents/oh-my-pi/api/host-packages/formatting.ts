/** The available part of `@oh-my-pi/pi-utils`: formatting functions. */
const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
] as const;

/** Uses the two largest units: `1h30m`, `12s`, `80ms`. */
export function formatDuration(ms: number): string {
  const first = UNITS.findIndex(([size]) => ms >= size);
  if (first === -1) return `${Math.round(ms)}ms`;
  const parts: string[] = [];
  let left = ms;
  for (const [size, unit] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join('');
}

export const truncate = (text: string, length: number, ellipsis = '…'): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - ellipsis.length))}${ellipsis}`;
