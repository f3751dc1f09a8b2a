/** The ten policies of docs/rules.md do what their cases say, as a user would run them. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(PAGE)![1]!;
const [POLICIES, CASES] = [blockOf('jsonc'), blockOf('yaml')];

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-rules-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the cases with these policies as the user's own, and returns the names of failed cases. */
function failedCases(name: string, policies: string): string[] {
  const home = join(root, name);
  const [config, project] = [join(home, '.config/anyhook'), join(home, 'project')];
  for (const folder of [config, project]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(config, 'hooks.json'), policies);
  writeFileSync(join(config, 'rules.test.yaml'), CASES);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CLI, 'test', '--json', join(config, 'rules.test.yaml')],
    { cwd: project, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: home } },
  );
  expect(stderr).toBe('');
  const { results } = JSON.parse(stdout) as { results: { name: string; failures: string[] }[] };
  expect(results.length).toBeGreaterThan(15);
  return results.flatMap(({ name: title, failures }) => (failures.length > 0 ? [title, ...failures] : []));
}

test('all cases of the ten policies pass', () => {
  expect(POLICIES.match(/"name":/g)).toHaveLength(10);
  expect(failedCases('all', POLICIES)).toEqual([]);
});

test.each([...POLICIES.matchAll(/"name": "([^"]+)"/g)].map(([, name]) => name!))(
  'without the policy %s a case fails',
  (name) => {
    const off = POLICIES.replace(`"name": "${name}"`, `"name": "${name}", "shadow": true`);
    expect(failedCases(name, off)).not.toEqual([]);
  },
);
