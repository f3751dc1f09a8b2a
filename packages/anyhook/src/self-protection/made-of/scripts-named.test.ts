import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Hook } from '../../events/hook.ts';
import { scriptsNamed } from './scripts-named.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-named-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, 'home'));
for (const name of ['guard.sh', 'log.txt', 'rules.txt']) writeFileSync(join(root, 'home', name), '');

const namedBy = (line: string): string[] =>
  scriptsNamed({ run: { kind: 'command', run: { line }, env: [] } } as unknown as Hook, {
    cwd: root,
    home: join(root, 'home'),
  }).map((file) => file.slice(root.length + 6));

test.each([
  ['~/guard.sh', ['guard.sh']],
  ['"$HOME"/guard.sh --rules ~/rules.txt', ['guard.sh', 'rules.txt']],
  ['~/guard.sh < ~/rules.txt', ['guard.sh', 'rules.txt']],
  ['~/guard.sh >> ~/log.txt', ['guard.sh']],
  ['~/guard.sh >~/log.txt 2>&1', ['guard.sh']],
  ['cat >> ~/log.txt; tail -n1 ~/log.txt | ~/guard.sh', ['guard.sh']],
  ['jq -r .tool_name 2>> $HOME/log.txt; ~/guard.sh', ['guard.sh']],
])('%s names what it runs and reads, not what it writes', (line, files) => {
  expect(namedBy(line)).toEqual(files);
});
