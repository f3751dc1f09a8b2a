/** Formats numbers and times for display. */
export { took } from '../src/events/took.mjs';

export const count = (number: number): string => number.toLocaleString('en-US');

export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

/** Such as `1.2M`, for numbers of tokens. */
export const compact = (number: number): string =>
  new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(number);

export const dollars = (amount: number): string =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const two = (number: number): string => String(number).padStart(2, '0');

/** `14:05:09`, in local time. */
export function clock(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime())
    ? time
    : `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** With the day, unless it is today. */
export function moment(time: string): string {
  const at = new Date(time);
  if (time === '' || Number.isNaN(at.getTime())) return time;
  const day = at.toLocaleDateString('sv');
  return day === new Date().toLocaleDateString('sv') ? clock(time) : `${day} ${clock(time).slice(0, 5)}`;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;
export function ago(time: string, nowMs: number): string {
  const passed = nowMs - Date.parse(time);
  const [unit, word] = UNITS.find(([ms]) => passed >= ms) ?? [];
  return unit === undefined || Number.isNaN(passed) ? 'now' : `${Math.floor(passed / unit)} ${word} ago`;
}

export const bytes = (size: number): string =>
  size < 1_000_000
    ? `${Math.ceil(size / 1000)} KB`
    : size < 1e9
      ? `${Math.round(size / 1e6)} MB`
      : `${(size / 1e9).toFixed(2)} GB`;
