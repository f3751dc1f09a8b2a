/** Terminal control sequences from hooks, files and models, in every command and view of the real programs. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const AGENT = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url));

/** Colours, title, clipboard, C1, bell, overwritten line, reversed text, and a hidden character. */
const HOSTILE =
  'x\u001b[31mred\u001b]0;title\u0007\u001b]52;c;aGk=\u001b\\\u009b2J\u0090q\u009c\u0007over\rwrite\u202eback\u2066in\u200bvisible\u{e0041}';
/* oxlint-disable no-control-regex -- control characters are what must never be left */
const STEERS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;
const OURS = /\u001b\[(?:1|2|22|31|32|33|36|39)m/g;
/* oxlint-enable no-control-regex */

let root: string;
let where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
const put = (path: string, text: string, mode = 0o644) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text, { mode });
};
function run(
  program: string,
  args: readonly string[],
  more: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    ...where,
    env: { ...where.env, ...more.env },
    ...(more.input !== undefined && { input: more.input }),
    encoding: 'utf8',
  });
  return { stdout, stderr };
}
const anyhook = (...args: readonly string[]) => run(CLI, args);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'hostile-'));
  const home = join(root, 'home');
  where = {
    cwd: join(root, 'project'),
    env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' },
  };
  const said = { decision: 'deny', reason: HOSTILE, notice: HOSTILE };
  put(
    'home/say.mjs',
    `process.stderr.write(${JSON.stringify(HOSTILE)});\nconsole.log(${JSON.stringify(JSON.stringify(said))});\n`,
  );
  const guard = { run: [process.execPath, join(home, 'say.mjs')], name: `guard ${HOSTILE}`, status: HOSTILE };
  const broken = {
    run: `echo '${HOSTILE.replaceAll("'", '')}{"decision":1}'; exit 3`,
    match: `shell(${HOSTILE}*)|shell`,
    onFailure: 'allow',
  };
  put(
    'home/.config/anyhook/hooks.json',
    JSON.stringify({ [HOSTILE]: 1, hooks: { 'tool.before': [guard, broken], [HOSTILE]: [] } }),
  );
  put(
    `project/.claude/settings.json`,
    JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: HOSTILE, hooks: [{ type: 'command', command: `./hooks/${HOSTILE}.sh` }] }],
      },
    }),
  );
  put(
    'project/.mcp.json',
    JSON.stringify({ mcpServers: { [HOSTILE]: { command: HOSTILE, args: [HOSTILE] } } }),
  );
  put(`project/hooks/${HOSTILE.replaceAll(/[\0/]/g, '')}.sh`, `#!/bin/sh\n# ${HOSTILE}\n`, 0o755);
  put(
    'project/cases.json',
    JSON.stringify({
      cases: [
        {
          name: HOSTILE,
          event: 'tool.before',
          payload: { tool: 'shell', input: { command: HOSTILE } },
          expect: { verdict: 'allow', reason: HOSTILE },
        },
      ],
    }),
  );
  const event = {
    event: 'tool.before',
    ids: { session: 's1' },
    payload: { tool: 'shell', input: { command: `echo ${HOSTILE}` } },
  };
  for (let at = 0; at < 2; at++) run(CLI, ['fire', '--as', 'anyhook'], { input: JSON.stringify(event) });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Every command that shows something, and its output if nothing matches. */
const COMMANDS: readonly (readonly string[])[] = [
  ['list'],
  ['why', 'tool.before', '--tool', 'shell'],
  ['why', 'tool.before', '--tool', HOSTILE],
  ['why', HOSTILE],
  ['why', '--last'],
  ['log'],
  ['log', '--hook', HOSTILE],
  ['replay', 'last'],
  ['replay', HOSTILE],
  ['trust'],
  ['trust', 'list'],
  ['trust', 'add', HOSTILE],
  ['trust', 'revoke', HOSTILE],
  ['doctor'],
  ['test', 'cases.json'],
  ['test', HOSTILE],
  ['hooks'],
  ['fire', HOSTILE],
  ['fire', '--as', HOSTILE],
  ['fire', '--as', 'anyhook', '--project', HOSTILE],
  ['fire', '--as', 'anyhook', '--deadline-ms', HOSTILE],
  ['fire', '--as', 'anyhook', `--${HOSTILE}`],
  ['explain', HOSTILE],
  ['explain', `rm -rf ~/${HOSTILE} && echo "${HOSTILE}`],
  ['explain', '--project', HOSTILE, 'ls'],
  ['install', HOSTILE],
  ['install', 'claude-code', `--${HOSTILE}`],
  ['install', 'claude-code'],
  ['install', '--mcp'],
  ['uninstall', HOSTILE],
  ['uninstall', 'claude-code'],
  ['mcp'],
  ['mcp', '--', HOSTILE],
  ['mcp', '--name', HOSTILE, '--', HOSTILE, HOSTILE],
  ['mcp', '--url', HOSTILE],
  ['add', HOSTILE],
  ['add', `./hooks/${HOSTILE}.sh`],
  ['add', `https://127.0.0.1:1/${HOSTILE}`],
  ['remove', HOSTILE],
  ['init', HOSTILE],
  ['init', '--kind', HOSTILE],
  ['pause', HOSTILE],
  ['resume', HOSTILE],
  ['reload', HOSTILE],
  ['daemon', HOSTILE],
  ['view', HOSTILE],
  ['view', '--port', HOSTILE],
  ['completion', HOSTILE],
  ['help', HOSTILE],
  ['list', '--project', HOSTILE],
  ['log', '--session', HOSTILE],
  ['trust', 'add', '--folder', HOSTILE],
  ['doctor', HOSTILE],
  [HOSTILE],
];
const JSONS: readonly (readonly string[])[] = [
  ['list'],
  ['why', 'tool.before', '--tool', 'shell'],
  ['why', '--last'],
  ['log'],
  ['trust'],
  ['doctor'],
  ['hooks'],
];
const spelled = (args: readonly string[]) => JSON.stringify(args).slice(0, 40);

describe('terminal control sequences are shown, never sent to the terminal', () => {
  test.each(COMMANDS.map((args) => [spelled(args), args] as const))('anyhook %s', (_, args) => {
    const { stdout, stderr } = anyhook(...args);
    expect(stdout + stderr).not.toMatch(STEERS);
    expect(stdout + stderr).not.toBe('');
  });

  test.each(COMMANDS.map((args) => [spelled(args), args] as const))('anyhook %s, in colours', (_, args) => {
    const { stdout, stderr } = run(CLI, args, { env: { NO_COLOR: '', FORCE_COLOR: '1' } });
    expect((stdout + stderr).replaceAll(OURS, '')).not.toMatch(STEERS);
    expect(stdout).not.toContain('\u001b[31mred');
  });

  test.each(JSONS.map((args) => [spelled(args), args] as const))('anyhook %s --json', (_, args) => {
    const { stdout } = anyhook(...args, '--json');
    expect(stdout).not.toMatch(STEERS);
    const lines = args[0] === 'log' ? stdout.trim().split('\n') : [stdout];
    for (const line of lines) expect(() => void JSON.parse(line)).not.toThrow();
  });

  test('a record preserves control sequences and reads back unchanged', () => {
    const { stdout } = anyhook('why', '--last', '--json');
    expect(JSON.stringify(JSON.parse(stdout))).toContain('red');
    expect(anyhook('why', '--last').stdout).toContain('\\u001b[31mred');
  });

  test.each([[], ['--output', 'json'], ['--output', 'stream-json']])('anyhook-agent -p %j', (...output) => {
    const script = join(root, 'script.json');
    writeFileSync(
      script,
      JSON.stringify([
        { text: `I run ${HOSTILE}`, calls: [{ tool: 'shell', input: { command: `echo ${HOSTILE}` } }] },
        { text: `done ${HOSTILE}` },
      ]),
    );
    const { stdout, stderr } = run(AGENT, [
      '-p',
      '--permission',
      'allow',
      '--model',
      `scripted:${script}`,
      ...output,
      HOSTILE,
    ]);
    expect(stdout).toContain('done');
    expect(stdout + stderr).not.toMatch(STEERS);
  });
});
