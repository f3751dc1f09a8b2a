/** One line per figure, printed when the suite has ended: `figure('matching', 'deleting forms caught', 1170, 1177)`. */
import { appendFileSync } from 'node:fs';

export function figure(kind: string, what: string, count: number, of: number): void {
  say(`${kind}: ${what}: ${count} of ${of} (${share(count, of)})`);
}

/** A measure that is no count. */
export const measure = (kind: string, what: string, value: string): void => say(`${kind}: ${what}: ${value}`);

export const share = (count: number, of: number): string => `${((100 * count) / of).toFixed(2)} %`;

function say(line: string): void {
  const file = process.env['ANYHOOK_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}
