/** Figures as they are kept in results.json, with date and machine: from there they come into docs/reliability.md. */
// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';

/** @typedef {{ readonly id: string, readonly what: string, readonly value: string, readonly isControl?: true }} Result a figure: its number is its row of the page */
/** @typedef {Result & { readonly date: string, readonly machine: string }} KeptResult */

const KEPT = fileURLToPath(new URL('results.json', import.meta.url));

/**
 * Rows of a part of the suite replace their own; those of the rest stay as they were measured.
 *
 * @param {readonly Result[]} results
 */
export function keepResults(results) {
  const date = new Date().toISOString().slice(0, 10);
  /** @type {KeptResult[]} */
  const known = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : [];
  const fresh = results.map((one) => ({ ...one, date, machine: machine() }));
  const others = known.filter((old) => !fresh.some((one) => isSame(one, old)));
  writeFileSync(KEPT, `${JSON.stringify([...others, ...fresh].toSorted(byId), null, 2)}\n`);
}
/** @param {Result} a @param {Result} b */
const isSame = (a, b) =>
  a.id === b.id && a.isControl === b.isControl && uncounted(a.what) === uncounted(b.what);
/**
 * A figure is the same however much of it was counted; how much stands in the row.
 *
 * @param {string} what
 */
const uncounted = (what) => what.replaceAll(/[\d,.]+/g, '#');

/** @param {Result} a @param {Result} b */
export const byId = (a, b) =>
  Number(a.id.slice(1)) - Number(b.id.slice(1)) || a.what.localeCompare(b.what, 'en');

function machine() {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${type()} ${release()}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory}, Node ${process.versions.node}`;
}
