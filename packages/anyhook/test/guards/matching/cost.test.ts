/** Hostile text is answered soon, or called opaque soon: never a pass, never a hang. */
import { describe, expect, test } from 'vitest';
import { inspectScript } from '../../../src/canon/bash/commands-in.ts';
import { judgeCommand } from '../../../src/canon/danger/index.ts';
import { corpus, type Deleting } from '../../corpus/read-corpus.ts';
import { measure } from '../figures.ts';

const PIECES = [
  '$(',
  '`',
  '(',
  '{ ',
  '{a,',
  '<(',
  '${a:-',
  '<<a ',
  'cat <<a\n',
  '"$(',
  'a[',
  '@(',
  'if true; then ',
  '((',
  '$((',
  '[[ ',
  'case x in ',
  'a=(',
  '"${',
  '!',
  '\\\n',
  "$'",
  '{a..b}',
  '${x/',
  '*(',
  'a b ',
  '"a" ',
  '$a',
  '${a}',
  'a=b ',
  'a|',
  'a;',
  'sudo ',
  'env ',
  'docker run ',
  'xargs ',
  'bash -c ',
  'eval ',
  "python3 -c '",
  'awk \'/"/{print|',
  'sed s/a/',
  'X=$X$X;',
  'alias a=b;',
  'echo a|',
  'f(){ f "$@"; };',
  'find . -exec ',
  'git -c a=b ',
  'printf %s ',
  '[',
  '~/',
  '\u0001',
  '\uE000',
  'é',
];
const SIZES = [100, 1_000, 4_000, 16_000, 64_000, 1_000_000];
const HOSTILE = [
  ...PIECES.flatMap((piece) => SIZES.map((size) => piece.repeat(Math.ceil(size / piece.length)))),
  ...SIZES.flatMap((size) => [
    `python3 -c '${'system('.repeat(size / 7)}'`,
    `node -e "${'`'.repeat(size)}"`,
    `perl -e '${'s/a/'.repeat(size / 4)}'`,
    `awk '${'print | '.repeat(size / 8)}'`,
    `sed '${'s/[/'.repeat(size / 4)}'`,
    `make --eval '${'$(shell '.repeat(size / 8)}'`,
    `docker run ${'docker run '.repeat(size / 11)}`,
    `echo ${'a'.repeat(size)} | ${'tr a b | '.repeat(Math.min(50, size / 9))} sh`,
    `cat > f <<'E'\n${'rm -rf / # line\n'.repeat(size / 16)}E\n`,
  ]),
];
/** Generous; what is measured is printed. */
const LONGEST_MS = 100;

describe('hostile text', () => {
  test('is answered within 10 ms at the 99.9th percentile', () => {
    // As in a host that has been running for a while: compiled code, not the compiler, is measured.
    for (const { form } of corpus<Deleting>('matching/deleting.jsonl').slice(0, 500)) inspectScript(form);
    for (const text of HOSTILE) inspectScript(text);
    const times: number[] = [];
    for (let round = 0; round < 4; round++)
      for (const text of HOSTILE) {
        const started = process.cpuUsage();
        judgeCommand('delete', `${text}${round}`, '/home/me/project');
        const { user, system } = process.cpuUsage(started); // of the processor: a loaded machine is no slow matcher
        times.push((user + system) / 1000);
      }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    measure(
      'cost',
      `${times.length} hostile texts, p50, p99, p99.9, longest`,
      [at(0.5), at(0.99), at(0.999), at(1)].map((ms) => `${ms.toFixed(1)} ms`).join(', '),
    );
    expect(at(0.999)).toBeLessThan(LONGEST_MS);
  });

  test('hides no command behind its size', () => {
    const behind = HOSTILE.filter((text) => /^(?:a b |"a" |a;|é|a=b |\$a)/.test(text)).map(
      (text) => `${text}\nrm -rf ~/x`,
    );
    expect(
      behind
        .filter((text) => judgeCommand('delete', text, '/p').kind === 'clear')
        .map((text) => text.slice(0, 60)),
    ).toEqual([]);
  });
});
