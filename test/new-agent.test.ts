/** Follows the recipes of CONTRIBUTING.md literally in a copy of the tree: a toy agent with its own dialect. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const TOY = join(import.meta.dirname, 'fixtures/toy');
/** Runs a command as a user in a terminal, which removing a bridge requires. */
const PERSON = join(ROOT, 'packages/anyhook/test/person.sh');
const LONG_MS = 180_000;
/** Compiler options of the package, restricted to files that list agents. */
const AGENTS_ONLY = {
  extends: './tsconfig.json',
  compilerOptions: { noEmit: true },
  include: ['src/agents'],
};

let root = '';
const copy = (...path: string[]) => join(root, 'house', ...path);
const home = (...path: string[]) => join(root, 'home', ...path);
const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const run = (args: readonly string[], options: object = {}): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, args, { encoding: 'utf8', cwd: copy(), ...options });

/** The steps of a recipe: a file, and the lines to add to it. */
function stepsOf(recipe: string): { file: string; lines: readonly string[] }[] {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const section = text.split(`\n### ${recipe}\n`)[1]?.split(/\n##/)[0] ?? '';
  return [...section.matchAll(/^ *```ts\n([^]*?)^ *```$/gm)].map(([, block = '']) => {
    const [head = '', ...lines] = block.replaceAll(/^ {3}/gm, '').trimEnd().split('\n');
    return { file: head.replace('// ', ''), lines };
  });
}
/** An existing line marks where the next one goes. The first goes before the imports. */
function apply({ file, lines }: ReturnType<typeof stepsOf>[number]): void {
  const text = readFileSync(copy(file), 'utf8').split('\n');
  let at = text.findIndex((line) => line.startsWith('import '));
  for (const line of lines) {
    const found = text.indexOf(line);
    if (found === -1) text.splice(at, 0, line);
    at = (found === -1 ? at : found) + 1;
  }
  writeFileSync(copy(file), text.join('\n'));
}
const follow = (recipe: string): void => {
  const steps = stepsOf(recipe);
  expect(steps).toHaveLength(1);
  steps.forEach(apply);
};
const compile = (project: string): string =>
  run([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', copy('packages/anyhook', project)]).stdout;

/** Runs the built `anyhook …` as a user with only the test's files in their home. */
function anyhook(
  args: readonly string[],
  { input = '', env = {}, by }: { input?: string; env?: object; by?: string } = {},
) {
  const words = [process.execPath, copy('packages/anyhook/dist/bin/anyhook.cjs'), ...args];
  const [program = '', ...rest] = by === undefined ? words : [by, ...words];
  const { status, stdout, stderr } = spawnSync(program, rest, {
    encoding: 'utf8',
    cwd: join(root, 'project'),
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home(), ...env },
    input,
  });
  return { status, stdout, stderr };
}
/** A session pins its guards, and these tests change them between calls. */
let sessions = 0;
const call = (tool: string, input: object) =>
  JSON.stringify({
    moment: 'call',
    session: `s${++sessions}`,
    folder: join(root, 'project'),
    about: { tool, input },
  });

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'new-agent-')));
  for (const folder of ['home', 'project']) mkdirSync(join(root, folder));
  for (const part of ['package.json', 'tsconfig.base.json', 'scripts', 'docs', 'contrib', 'bench'])
    cpSync(join(ROOT, part), copy(part), { recursive: true });
  const figures = ['test/clients/results', 'test/wild/results.json', 'test/faults/results.json'];
  for (const part of ['package.json', 'tsconfig.json', 'src', 'schema', 'recipes', ...figures])
    cpSync(join(ROOT, 'packages/anyhook', part), copy('packages/anyhook', part), { recursive: true });
  cpSync(join(ROOT, 'packages/client'), copy('packages/client'), { recursive: true });
  for (const part of ['node_modules', 'packages/anyhook/node_modules'])
    if (existsSync(join(ROOT, part))) symlinkSync(join(ROOT, part), copy(part), 'junction');
  cpSync(join(TOY, 'agents'), copy('packages/anyhook/src/agents'), { recursive: true });
  const dialect = copy('packages/anyhook/src/agents/toy/dialect');
  renameSync(join(dialect, 'contract.ts'), join(dialect, 'contract.test.ts')); // No test runs in the folder of the fixture.
  cpSync(join(TOY, 'toy-agent.mjs'), home('.toy/bin/toy-agent'));
  chmodSync(home('.toy/bin/toy-agent'), 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test(
  'an incomplete agent does not compile: a missing dialect, or a missing field',
  () => {
    follow('A new agent');
    const folder = copy('packages/anyhook/src/agents/toy/index.ts');
    const both = readFileSync(folder, 'utf8');
    writeFileSync(folder, both.replace(/^.*dialect.*\n/m, ''));
    const other = copy('packages/anyhook/src/agents/goose/record.ts');
    const whole = readFileSync(other, 'utf8');
    writeFileSync(other, whole.replace(/^ {2}marks: .*\n/m, ''));
    put(copy('packages/anyhook/agents.json'), JSON.stringify(AGENTS_ONLY));
    const said = compile('agents.json');
    writeFileSync(other, whole);
    writeFileSync(folder, both);
    expect(said).toMatch(/agents\/goose\/record\.ts.*Property 'marks' is missing in type/);
    expect(said).toMatch(/agents\/list\.ts[^]*Type '"toy"' is not assignable to type '.*"claude-code"/);
  },
  LONG_MS,
);

describe('with both recipes followed', () => {
  beforeAll(() => {
    follow('A new dialect');
    expect(compile('tsconfig.json')).toBe('');
    const bundled = run([copy('scripts/bundle.mjs')], { cwd: copy('packages/anyhook') });
    expect([bundled.status, bundled.stderr]).toEqual([0, '']);
  }, LONG_MS);

  test('the toy dialect satisfies the dialect contract', () => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const { status, stdout } = run([vitest, 'run', 'packages/anyhook/src/agents/toy/dialect'], {
      env: { ...process.env, NO_COLOR: '1' },
    });
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/Tests {2}\d+ passed/);
  });

  test('tests that need a sample of every dialect derive one for the toy dialect', () => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const files = ['events/typos.test.ts', 'library/project-root.test.ts'];
    const { status, stdout } = run(
      [vitest, 'run', ...files.map((file) => `packages/anyhook/src/${file}`), '--reporter', 'verbose'],
      { env: { ...process.env, NO_COLOR: '1' } },
    );
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/typos\.test\.ts > toy > /);
    expect(stdout).toContain('is found from a folder below by .toy/toy.json');
  });

  test('the pages of the toy agent are generated, with rows in the tables', () => {
    const { status, stderr } = run([copy('scripts/generate.mjs')]);
    expect([status, stderr]).toEqual([0, '']);
    const page = (name: string) => readFileSync(copy('docs', name), 'utf8');
    expect(page('agents/toy.md')).toContain('| marks what it starts with | `TOY_AGENT` |');
    expect(page('dialects/toy.md')).toContain('| `call` | [tool.before](../events/tool.before.md) |');
    expect(page('agents/index.md')).toContain('| [Toy](toy.md) | 1.2.3 | [toy](../dialects/toy.md) |');
    expect(page('compatibility.md')).toContain('### [Toy](agents/toy.md) 1.2.3');
    expect(page('bridges.md')).toContain(
      '| [`toy`](agents/toy.md) | entries in `~/.toy/toy.json` | entries in `.toy/toy.json` |',
    );
  });

  test('install shows and writes the bridge of the toy agent, and uninstall removes it byte for byte', () => {
    const own = '{ "hooks": { "call": [{ "hooks": [{ "command": "true" }] }] } } // mine\n';
    put(home('.toy/toy.json'), own);
    const shown = anyhook(['install', 'toy', '--dry-run']);
    expect(shown.stdout).toContain('anyhook-client toy --on-failure refuse');
    expect(shown.stdout).toContain('note: Toy is a toy.');
    expect(readFileSync(home('.toy/toy.json'), 'utf8')).toBe(own);
    expect(anyhook(['install', 'toy']).status).toBe(0);
    expect(readFileSync(home('.toy/toy.json'), 'utf8').match(/anyhook-client toy /g)).toHaveLength(3);
    expect(anyhook(['uninstall', 'toy'], { by: PERSON }).status).toBe(0);
    expect(readFileSync(home('.toy/toy.json'), 'utf8')).toBe(own);
  });

  test('the toy agent runs its own hooks, and they also run in every other agent', () => {
    const guard = 'echo toy says no >&2; exit 2';
    put(
      home('.toy/toy.json'),
      JSON.stringify({ hooks: { call: [{ matcher: 'toy_shell', hooks: [{ command: guard }] }] } }),
    );
    const input = call('toy_shell', { command: 'ls' });
    const refused = { status: 2, stdout: '', stderr: 'toy says no\n' };
    expect(anyhook(['fire', '--as', 'toy'], { input })).toEqual(refused);
    expect(
      anyhook(['fire', '--as', 'toy', '--host', 'toy'], { input: call('toy_shell', { command: 'ls' }) })
        .status,
    ).toBe(0);
    const claude = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: {} };
    const there = anyhook(['fire', '--as', 'claude-code', '--host', 'claude-code'], {
      input: JSON.stringify(claude),
    });
    expect([there.status, there.stderr]).toEqual([2, expect.stringContaining('toy says no')]);
    expect(anyhook(['fire', '--as', 'toy', 'cal'], { input }).stderr).toContain('did you mean call');
  });

  test('list has the hooks of the toy agent, and not its bridge', () => {
    put(home('.toy/scripts/lonely.sh'), '');
    expect(anyhook(['install', 'toy']).status).toBe(0);
    const { stdout } = anyhook(['list']);
    expect(stdout).toContain('~/.toy/toy.json  toy, yours');
    expect(stdout).toContain('echo toy says no');
    expect(stdout).not.toContain('fire --as');
    expect(stdout).toMatch(/~\/\.toy\/scripts\/lonely\.sh\n\s+no settings file names it/);
  });

  test('doctor finds the toy agent, recognizes its bridge and checks its settings', () => {
    const settings = readFileSync(home('.toy/toy.json'), 'utf8');
    put(home('.toy/toy.json'), settings.replace('"toy_shell"', '"toy_dnce"'));
    const { stdout } = anyhook(['doctor', '--json']);
    put(home('.toy/toy.json'), settings);
    const { hosts, findings } = JSON.parse(stdout) as {
      hosts: { agent?: string; version?: string; natively: string[]; bridge: object[] }[];
      findings: { code: string; remedy?: string }[];
    };
    expect(hosts.filter(({ agent }) => agent === 'toy')).toEqual([
      expect.objectContaining({
        program: 'toy-agent',
        file: home('.toy/bin/toy-agent'),
        version: '1.2.3',
        natively: [`${home('.toy/toy.json')}#call[0][0]`],
        bridge: [{ scope: 'user', file: home('.toy/toy.json'), isCurrent: true }],
      }),
    ]);
    expect(findings.find(({ code }) => code === 'dead-matcher')?.remedy).toBe('Did you mean "toy_dance"?');
  });

  test('the probe starts the toy agent without a terminal and confirms that a refusal works', () => {
    const { stdout } = anyhook(['doctor', '--probe', 'toy']);
    expect(stdout).toContain('Toy: enforced: without us the command ran, with us it did not');
  });

  test('self-protection covers the settings, the bridge and the code folders of the toy agent', () => {
    rmSync(home('.toy/toy.json'));
    put(home('.config/anyhook/hooks.json'), '{ "hooks": { "tool.before": [{ "run": "true" }] } }');
    const write = (path: string) =>
      anyhook(['fire', '--as', 'toy'], { input: call('toy_write', { where: path, what: '' }) }).status;
    expect([home('.toy/toy.json'), '.toy/toy.json', home('.toybox/a.js'), 'mine.txt'].map(write)).toEqual([
      2, 2, 2, 0,
    ]);
  });

  test('processes of the toy agent do not count as a user, and its project variable is used', () => {
    expect(anyhook(['pause', '5m'], { env: { TOY_AGENT: '1' } }).stderr).toBe(
      'anyhook: pause: started by Toy (TOY_AGENT is set); run it yourself in an interactive terminal\n',
    );
    put(
      join(root, 'other/.toy/toy.json'),
      JSON.stringify({ hooks: { call: [{ hooks: [{ command: 'true' }] }] } }),
    );
    const skipped = (env: object) =>
      anyhook(['fire', '--as', 'toy', '--json'], {
        input: call('toy_shell', { command: 'ls' }),
        env,
      }).stdout.match(/not.trusted/g);
    expect([skipped({}), skipped({ TOY_PROJECT: join(root, 'other') })]).toEqual([null, ['not trusted']]);
  });
});
