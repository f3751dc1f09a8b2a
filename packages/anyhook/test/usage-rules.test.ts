/** The three policies of docs/usage.md do what their cases say, as a user would run them. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/usage.md', import.meta.url), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(PAGE)![1]!;
const [POLICIES, CASES] = [blockOf('jsonc'), blockOf('yaml')];

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-usage-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function failedCases(name: string, policies: string): string[] {
  const home = join(root, name);
  const [config, project] = [join(home, '.config/anyhook'), join(home, 'project')];
  for (const folder of [config, project]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(config, 'hooks.json'), policies);
  writeFileSync(join(config, 'usage.test.yaml'), CASES);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CLI, 'test', '--json', join(config, 'usage.test.yaml')],
    { cwd: project, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: home } },
  );
  expect(stderr).toBe('');
  const { results } = JSON.parse(stdout) as { results: { name: string; failures: string[] }[] };
  expect(results).toHaveLength(5);
  return results.flatMap(({ name: title, failures }) => (failures.length > 0 ? [title, ...failures] : []));
}

test('all cases of the three policies of usage pass', () => {
  expect(failedCases('all', POLICIES)).toEqual([]);
});

test.each(['five-dollars', 'large-context', 'no-more-subagents'])(
  'without the policy of usage %s a case fails',
  (name) => {
    const off = POLICIES.replace(`"name": "${name}"`, `"name": "${name}", "shadow": true`);
    expect(failedCases(name, off)).not.toEqual([]);
  },
);
