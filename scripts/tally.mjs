/** The result of a test run in one line, the same in any language: `N passed, N failed`. Reads vitest's JSON report. */
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {boolean} success
 * @property {{ status: string, name: string, assertionResults: unknown[] }[]} testResults
 */

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('tally.mjs needs the file that vitest wrote with --reporter=json');
  process.exit(2);
}
/** @type {Report} */
const report = JSON.parse(readFileSync(file, 'utf8'));
/** A file that broke before its first test holds none that could be counted. */
const broken = report.testResults.filter(
  (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
);
const failed = report.numFailedTests + broken.length;
const skipped = report.numPendingTests + report.numTodoTests;
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${report.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 && report.success ? 0 : 1;
