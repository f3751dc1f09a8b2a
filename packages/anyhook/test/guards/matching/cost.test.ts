/** Hostile text is answered soon, or called opaque soon: never a pass, never a hang. */

import { describe, expect, test } from 'vitest';
import { GuardedNames } from '../../../src/self-protection/guarded-names.ts';
import { makeIdentity } from '../../../src/self-protection/identity.ts';
import { shellObjection } from '../../../src/self-protection/shell-objection.ts';
import { judgeCommand } from '../../../src/shell/danger/index.ts';
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
const filledWith = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length));
const HOSTILE = [
  ...PIECES.flatMap((one) => PIECES.map((other) => filledWith(one + other, 2_000))),
  ...PIECES.flatMap((piece) => SIZES.map((size) => filledWith(piece, size))),
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
const PROJECT = '/home/me/project';
const GUARDED = {
  folders: [
    '/home/me/.config/anyhook',
    '/home/me/.local/state/anyhook',
    `${PROJECT}/.anyhook`,
    '/home/me/.omp/hooks',
  ],
  files: ['/home/me/.claude/settings.json', '/home/me/.codex/hooks.json', `${PROJECT}/guard.sh`],
  code: ['/opt/anyhook/dist'],
};
const IDENTITY = makeIdentity(GUARDED);
/** As for one call: what it finds out about folders is not found out again. */
const termsOf = () => ({
  cwd: PROJECT,
  home: '/home/me',
  env: {},
  look: IDENTITY.look(),
  guarded: IDENTITY.tree,
  code: GUARDED.code,
  names: new GuardedNames(GUARDED),
});
const ROUNDS = 5;
/** Ten milliseconds are the promise, and printed; a machine under load takes a few times that, a hang far more. */
const WITHIN_MS = 50;

describe('hostile text', () => {
  test.each([
    ['a matcher', (text: string) => judgeCommand('delete', text, PROJECT)],
    ['self-protection', (text: string) => shellObjection(text, termsOf())],
  ])('is answered by %s in milliseconds at the 99.9th percentile', (who, judge) => {
    // As in a host that has been running for a while: compiled code, not the compiler, is measured.
    for (const { form } of corpus<Deleting>('matching/deleting.jsonl')) judge(form);
    const rounds = Array.from({ length: ROUNDS }, (_, round) =>
      HOSTILE.map((text) => costOf(() => judge(`${text}${round}`))),
    );
    const times = HOSTILE.map((_, at) => median(rounds.map((costs) => costs[at]!))).toSorted((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
    measure(
      'cost',
      `${times.length} hostile texts, ${who}, median of ${ROUNDS} each: p50, p99, p99.9, longest`,
      [at(0.5), at(0.99), at(0.999), at(1)].map((ms) => `${ms.toFixed(1)} ms`).join(', '),
    );
    expect(at(0.999)).toBeLessThan(WITHIN_MS);
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

/** Time of the processor: a loaded machine is no slow matcher. */
function costOf(judge: () => unknown): number {
  const started = process.cpuUsage();
  judge();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
