import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command, projectWith, scratch } from './fixtures/scratch.ts';
import { judgeTrust } from './gate.ts';
import { openTrustStore } from './store.ts';

test('a named hash trusts only the entry with that hash', () => {
  const project = projectWith({ 'a.sh*': '1', 'b.sh*': '2' });
  const judge = (line: string, hashes: readonly string[]) =>
    judgeTrust(command(project, line), project, openTrustStore(join(scratch(), 'trust')), {
      isTerminal: false,
      hashes,
    });
  const [a, b] = [judge('./a.sh', []).hash, judge('./b.sh', []).hash];
  expect([
    judge('./a.sh', [b]).state,
    judge('./a.sh', [b, a]).state,
    judge('./b.sh', [b]).state,
    judge('./b.sh', [`sha256:${'0'.repeat(64)}`]).state,
  ]).toEqual(['unknown', 'trusted', 'trusted', 'unknown']);
});
