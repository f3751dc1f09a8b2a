import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdPlace } from './hold-place.ts';

const start = (pid: number): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
};

test.skipIf(process.platform !== 'linux').each([
  [
    'is still running makes a second sender fail',
    start,
    /^process \d+ sends the journals of .* there already$/,
  ],
  ['exited before a reboot does not block a second sender', () => '1', undefined],
])('a sender that %s', (_, startOf, refusal) => {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-hold-'));
  const file = join(folder, '.shipped/place.lock');
  holdPlace(folder, 'place')();
  writeFileSync(file, `${process.ppid} ${startOf(process.ppid)}`);
  if (refusal === undefined) expect(holdPlace(folder, 'place')).toBeTypeOf('function');
  else expect(() => holdPlace(folder, 'place')).toThrow(refusal);
});
