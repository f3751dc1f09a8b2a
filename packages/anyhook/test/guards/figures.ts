/** Counts of the suite, printed at the end: `figure('matching', 'deleting forms caught', 1170, 1177)`. */

import { appendFileSync } from 'node:fs';

export interface Figure {
  readonly label: string;
  readonly value: string;
  /** Independent of the machine, so SECURITY.md shows it. */
  readonly isFixed: boolean;
}

/** A count over a corpus. */
export const figure = (kind: string, what: string, count: number, of: number): void =>
  record({ label: `${kind}: ${what}`, value: `${count} of ${of} (${share(count, of)})`, isFixed: true });

/** A measurement on this machine. */
export const measure = (kind: string, what: string, value: string): void =>
  record({ label: `${kind}: ${what}`, value, isFixed: false });

export const share = (count: number, of: number): string => `${((100 * count) / of).toFixed(2)} %`;

function record(one: Figure): void {
  const file = process.env['ANYHOOK_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(one)}\n`);
}
