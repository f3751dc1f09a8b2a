/** Formats the results of cases for terminals, CI servers (JUnit) and GitHub. */

import { brief, safe } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';
import type { Result, CaseVerdict } from './settle.ts';
import type { SuiteFault } from './suite.ts';

export function resultLines(result: Result, screen: Screen): string[] {
  const { paint, width } = screen;
  const { failures, name, verdicts } = result;
  return [
    `  ${failures.length === 0 ? paint('green', 'ok  ') : paint('red', 'FAIL')}  ${brief(name, width - 8)}`,
    ...wrap(`        ${meanings(verdicts)}`, width, '        '),
    ...failures.flatMap((text) => wrap(`        ${paint('red', safe(text))}`, width, '          ')),
  ];
}

export function summaryLines(
  results: readonly Result[],
  faults: readonly SuiteFault[],
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  return [
    ...faults.flatMap((fault) => wrap(`${paint('red', 'error')}  ${faultLine(fault, screen)}`, width, '  ')),
    `${results.length - failed} passed, ${failed} failed${faults.length > 0 ? `, ${faults.length} ${faults.length === 1 ? 'mistake' : 'mistakes'} in the cases` : ''}.`,
  ];
}

const faultLine = ({ file, line, key, message }: SuiteFault, screen: Screen): string =>
  safe(`${shortPath(file, screen)}:${line}: ${key === '' ? '' : `${key}: `}${message}`);

/** Agents grouped by verdict. `ask → deny`: the agent cannot ask. */
function meanings(verdicts: readonly CaseVerdict[]): string {
  const groups = new Map<string, string[]>();
  for (const { host, verdict, from } of verdicts) {
    const word = from === undefined ? verdict : `${from} → ${verdict}`;
    groups.set(word, [...(groups.get(word) ?? []), host]);
  }
  return [...groups].map(([word, hosts]) => `${word}: ${hosts.join(', ')}`).join(' · ');
}

const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};
/** XML does not allow control characters, not even as numeric references. */
const xml = (text: string): string => safe(text).replaceAll(/[&<>"\n]/g, (character) => MARKUP[character]!);

export function junit(results: readonly Result[], faults: readonly SuiteFault[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const rows = [
    ...results.map(({ file, name, line, ms, failures }) => {
      const head = `    <testcase classname="${xml(file)}" name="${xml(name)}" file="${xml(file)}" line="${line}" time="${ms / 1000}"`;
      return failures.length === 0
        ? `${head}/>`
        : `${head}>\n      <failure message="${xml(failures.join('; '))}"/>\n    </testcase>`;
    }),
    ...faults.map(
      ({ file, line, key, message }) =>
        `    <testcase classname="${xml(file)}" name="${xml(key || 'file')}" file="${xml(file)}" line="${line}">\n      <error message="${xml(message)}"/>\n    </testcase>`,
    ),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="anyhook" tests="${rows.length}" failures="${failed}" errors="${faults.length}">\n${rows.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}

/** Formats GitHub workflow commands, and escapes text that would end a command early. */
export function github(results: readonly Result[], faults: readonly SuiteFault[]): string[] {
  const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const line = (file: string, at: number, title: string, text: string) =>
    `::error file=${property(file)},line=${at},title=${property(title)}::${data(text)}`;
  return [
    ...results
      .filter(({ failures }) => failures.length > 0)
      .map((result) => line(result.file, result.line, result.name, result.failures.join('; '))),
    ...faults.map(({ file, line: at, key, message }) => line(file, at, key || 'cases', message)),
  ];
}
