/** A settings reader that fails, through the command line: the file is named, tool calls are refused, prompts pass. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-unreadable-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const source = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);
/** Runs the command line from its sources, with a reader of one dialect replaced by one that throws. */
const PROGRAM = `
  import { createJiti } from ${JSON.stringify(import.meta.resolve('jiti'))};
  const jiti = createJiti(${JSON.stringify(import.meta.url)});
  const [folder, name, reader, ...argv] = process.argv.slice(1);
  const dialect = (await jiti.import(${source('agents/')} + folder + '/dialect/index.ts'))[name];
  const fail = () => { throw new RangeError('planted'); };
  if (reader === 'find') dialect.moduleFinder.find = fail;
  else dialect.config[reader] = fail;
  const { runProgram } = await jiti.import(${source('cli/run-program.ts')});
  const { runCommandLine } = await jiti.import(${source('cli/program.ts')});
  process.argv = ['node', 'anyhook', ...argv];
  await runProgram(() => runCommandLine(argv));
`;

function world(files: Readonly<Record<string, string>>) {
  const [home, project] = [mkdtempSync(join(root, 'home-')), mkdtempSync(join(root, 'project-'))];
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: '',
    XDG_STATE_HOME: '',
    NO_COLOR: '1',
    COLUMNS: '400',
  };
  return (planted: readonly string[], args: readonly string[], event?: object) => {
    const argv = ['--input-type=module', '-e', PROGRAM, '--', ...planted, ...args];
    const input = event === undefined ? '' : JSON.stringify({ session_id: 's', cwd: project, ...event });
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
      cwd: project,
      env,
      input,
      encoding: 'utf8',
    });
    return { status, text: `${stdout}${stderr}` };
  };
}

const PLANTED = [
  { planted: ['codex', 'codex', 'read'], file: '.codex/hooks.json', says: '.codex/hooks.json' },
  { planted: ['anyhook', 'anyhook', 'read'], file: '.config/anyhook/hooks.json', says: 'hooks.json' },
  { planted: ['claude-code', 'claudeCode', 'places'], file: '.claude/settings.json', says: 'claude-code' },
  { planted: ['oh-my-pi', 'ohMyPi', 'find'], file: '.pi/agent/settings.json', says: 'oh-my-pi' },
] as const;

describe.each(PLANTED)('the $planted.2 reader of $planted.0 throws', ({ planted, file, says }) => {
  const run = world({ [file]: '{}' });

  test(`${planted[2]} of ${planted[0]} throws: list and doctor name the file`, () => {
    for (const command of ['list', 'doctor']) {
      const { status, text } = run(planted, [command]);
      expect([status, text]).toEqual([1, expect.stringContaining(says)]);
      expect(text).not.toContain('    at '); // no stack trace
    }
  });

  test(`${planted[2]} of ${planted[0]} throws: add shows a recipe as ever`, () => {
    const { status, text } = run(planted, ['add', 'audit', '--dry-run']);
    expect([status, text]).toEqual([0, expect.stringContaining('audit')]);
  });

  test(`${planted[2]} of ${planted[0]} throws: fire refuses a tool call and lets a prompt pass`, () => {
    const fire = ['fire', '--as', 'claude-code'];
    const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } };
    const refused = run(planted, fire, call);
    expect(refused.text).toContain('"permissionDecision":"deny"');
    expect(refused.text).toContain(says);
    const prompt = run(planted, fire, { hook_event_name: 'UserPromptSubmit', prompt: 'hello' });
    expect([prompt.status, prompt.text]).toEqual([0, expect.not.stringContaining('"block"')]);
  });
});
