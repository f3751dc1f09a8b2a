/**
 * The result of test runs in one line, the same in any language: `N passed, N failed`. Reads vitest's JSON reports. Before it: what
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

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('tally.mjs needs the files that vitest wrote with --reporter=json');
  process.exit(2);
}
/** @type {Report[]} */
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
/** @param {(report: Report) => number} count */
const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
/** A file that broke before its first test holds none that could be counted. @param {Report} report */
const broken = ({ testResults }) =>
  testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);

for (const { name, assertionResults } of reports.flatMap(({ testResults }) => testResults))
  for (const { status, fullName, failureMessages } of assertionResults)
    if (status === 'passed' && failureMessages.length > 0)
      console.log(`at its second try: ${name}: ${fullName}\n${failureMessages.join('\n')}\n`);
const failed = sum((report) => report.numFailedTests + broken(report).length);
const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${sum(({ numPassedTests }) => numPassedTests)} passed, ${failed} failed`);
process.exitCode = failed === 0 && reports.every(({ success }) => success) ? 0 : 1;
