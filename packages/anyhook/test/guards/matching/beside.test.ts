/** Compares our verdicts with cc-safety-net on the same lists; docs/bash.md shows the table. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeCommand } from '../../../src/shell/danger/index.ts';
import { matchShell } from '../../../src/shell/matches-shell.ts';
import { corpus, type Deleting, type Everyday } from '../../corpus/read-corpus.ts';
import { figure, share } from '../figures.ts';

/** Installed outside the lockfile, because only this test uses it. */
const OTHER = 'cc-safety-net@2.4.5';
const CACHE = fileURLToPath(new URL('../../../../../.cache/guards/', import.meta.url));
const API = join(CACHE, 'node_modules/cc-safety-net/dist/api.js');
const PAGE = fileURLToPath(new URL('../../../../../docs/bash.md', import.meta.url));

const DELETING = corpus<Deleting>('matching/deleting.jsonl').map(({ form }) => form);
const EVERYDAY = corpus<Everyday>('matching/everyday.jsonl').map(({ command }) => command);

type Judge = (command: string) => boolean;
let cwd = '';

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'anyhook-beside-'));
  if (existsSync(API)) return;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, OTHER], { cwd: CACHE, stdio: 'inherit' });
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('anyhook catches more deletions and blocks fewer everyday commands than cc-safety-net', async () => {
  const { checkCommand } = (await import(pathToFileURL(API).href)) as {
    checkCommand: (input: { command: string; cwd: string }) => { kind: 'allow' | 'deny' };
  };
  const judges: readonly (readonly [string, Judge])[] = [
    ['`danger:delete`', (command) => judgeCommand('delete', command, cwd).kind !== 'clear'],
    ['`shell(rm -rf*)`', (command) => matchShell('rm -rf*', command).kind !== 'clear'],
    [`\`${OTHER}\``, (command) => checkCommand({ command, cwd }).kind === 'deny'],
  ];
  const rows = judges.map(([name, judge]) => ({
    name,
    caught: DELETING.filter(judge).length,
    stopped: EVERYDAY.filter(judge).length,
  }));
  for (const { name, caught, stopped } of rows) {
    figure('beside', `deleting forms caught by ${name}`, caught, DELETING.length);
    figure('beside', `everyday commands stopped by ${name}`, stopped, EVERYDAY.length);
  }
  // `npm run test:guards -- -u` updates the page.
  await expect(pageWith(rows)).toMatchFileSnapshot(PAGE);
  const [ours, , theirs] = rows;
  expect(ours!.caught).toBeGreaterThan(theirs!.caught);
  expect(ours!.stopped).toBeLessThanOrEqual(theirs!.stopped);
});

const [BEGIN, END] = ['<!-- guards:begin -->', '<!-- guards:end -->'];
function pageWith(rows: readonly { name: string; caught: number; stopped: number }[]): string {
  const page = readFileSync(PAGE, 'utf8');
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start === -1 || end === -1) throw new Error(`docs/bash.md has no ${BEGIN}`);
  const cell = (count: number, of: number) => `${count} of ${of} (${share(count, of)})`;
  const table = [
    '| rule | forms that delete, caught | everyday commands, refused or asked |',
    '| --- | --- | --- |',
    ...rows.map(
      ({ name, caught, stopped }) =>
        `| ${name} | ${cell(caught, DELETING.length)} | ${cell(stopped, EVERYDAY.length)} |`,
    ),
  ];
  return `${page.slice(0, start)}${BEGIN}\n${table.join('\n')}\n${page.slice(end)}`;
}
