/** Runs the conformance suite of the protocol against the client, with and without our proxy. */

import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { installInto } from './install.ts';
import { inCache, node22 } from './packages.ts';

const SUITE = '@modelcontextprotocol/conformance';
const [home, project] = ['home', 'project'].map((name) => mkdtempSync(join(tmpdir(), `anyhook-${name}-`)));
beforeAll(() => installInto('conformance', [`${SUITE}@0.1.16`]), 300_000);
afterAll(() => [home, project].forEach((folder) => removeTree(folder!)));

const judged = (scenario: string, how: 'straight' | 'through') =>
  new Promise<string>((resolve) => {
    const command = [node22(), join(import.meta.dirname, 'conformance-client.mjs'), how].join(' ');
    const args = [inCache('conformance', `${SUITE}/dist/index.js`), 'client', '--command', command];
    const env = { PATH: process.env['PATH'], HOME: home };
    execFile(node22(), [...args, '--scenario', scenario], { cwd: project, env }, (_, stdout, stderr) => {
      const said = `${stdout}${stderr}`;
      resolve(/^Passed: .*$/m.exec(said)?.[0] ?? said);
    });
  });

/** Login scenarios are not supported. Users pass headers with `--header`. */
test.each([
  ['initialize', 'Passed: 1/1, 0 failed, 0 warnings'],
  ['tools_call', 'Passed: 1/1, 0 failed, 0 warnings'],
  ['elicitation-sep1034-client-defaults', 'Passed: 5/5, 0 failed, 0 warnings'],
  ['sse-retry', 'Passed: 3/3, 0 failed, 0 warnings'],
])('%s', { timeout: 120_000, retry: 1 }, async (scenario, said) => {
  expect([await judged(scenario, 'straight'), await judged(scenario, 'through')]).toEqual([said, said]);
});
