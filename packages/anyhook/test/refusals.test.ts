/** The example of docs/refusals.md does what its case says, as a user would run it. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/refusals.md', import.meta.url), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(PAGE)![1]!;
const SETTINGS = JSON.parse(blockOf('json')) as object;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-refusals-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function at(name: string, settings: object) {
  const home = join(root, name);
  const [config, project] = [join(home, '.config/anyhook'), join(home, 'project')];
  for (const folder of [config, project]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(config, 'hooks.json'), JSON.stringify(settings));
  writeFileSync(join(config, 'a.test.yaml'), blockOf('yaml'));
  const run = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, [CLI, ...args], {
      cwd: project,
      encoding: 'utf8',
      input,
      env: { PATH: process.env['PATH'], HOME: home },
    }).stdout;
  return { run, config, project };
}

test.each([
  ['passes', {}, 0],
  ['fails with "sticky": false', { sticky: false }, 1],
])('the case of the page %s', (name, more, failed) => {
  const { run, config } = at(String(failed), { ...more, ...SETTINGS });
  const { results } = JSON.parse(run(['test', '--json', join(config, 'a.test.yaml')])) as {
    results: { failures: string[] }[];
  };
  expect(
    results.filter(({ failures }) => failures.length > 0),
    name,
  ).toHaveLength(failed);
});

test('a refusal stays between processes that answer one event each, and `log` and `why` show it', () => {
  const { run, project } = at('fire', { daemon: 'off', ...SETTINGS });
  const fire = (command: string) =>
    run(
      ['fire', '--as', 'claude-code', '--host', 'claude-code'],
      JSON.stringify({
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: project,
        tool_name: 'Bash',
        tool_input: { command },
      }),
    );
  expect(fire('rm -rf build')).toContain('Keep the build folder.');
  expect(fire('find build -delete')).toMatch(
    /Already refused at \d\d:\d\d by `no-rm-rf`: Keep the build folder\./,
  );
  expect(fire('find dist -delete')).not.toContain('deny');
  expect(run(['log'])).toContain('Already refused');
  expect(run(['why', '--last', '--session', 's'])).toContain('find dist');
});

test('`list` marks a hook whose refusals do not stay', () => {
  const entry = { name: 'free', match: 'shell(rm*)', run: 'exit 2', sticky: false };
  const { run } = at('list', { hooks: { 'tool.before': [entry] } });
  expect(run(['list'])).toContain('does not remember its refusals');
});
