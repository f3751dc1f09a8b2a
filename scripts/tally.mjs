/**
 * The result of a test run in one line, the same in any language: `N passed, N failed`. Reads vitest's JSON report. Before it: what
 * passed at its second try only, with what went wrong at the first, so that a flaky test is mended and not lived with.
 */
import { readFileSync } from 'node:fs';

/** @typedef {{ status: string, fullName: string, failureMessages: string[] }} Assertion */
/**
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {boolean} success
 * @property {{ status: string, name: string, assertionResults: Assertion[] }[]} testResults
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
for (const { name, assertionResults } of report.testResults)
  for (const { status, fullName, failureMessages } of assertionResults)
    if (status === 'passed' && failureMessages.length > 0)
      console.log(`at its second try: ${name}: ${fullName}\n${failureMessages.join('\n')}\n`);
const failed = report.numFailedTests + broken.length;
const skipped = report.numPendingTests + report.numTodoTests;
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${report.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 && report.success ? 0 : 1;
