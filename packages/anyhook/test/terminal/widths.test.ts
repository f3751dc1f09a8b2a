/** What is shown to people at the widths they have: nothing is left to the terminal to break. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { hasTmux, openTerminal } from './tmux.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));
const missing = hasTmux() ? (existsSync(CLI) ? undefined : 'it is not built') : 'tmux is not here';
if (missing !== undefined) process.stderr.write(`Widths are not tried in a terminal: ${missing}.\n`);

const SCRIPT = '.claude/hooks/check-everything-that-is-run.sh';
const LINE = `"$CLAUDE_PROJECT_DIR"/${SCRIPT} --with an-option --and another-one --to the-very-end`;
const FILES: Readonly<Record<string, string>> = {
  'home/.config/anyhook/hooks.json': `{ "hooks": { "tool.before": [
    { "name": "no-push", "match": "shell(git push*)", "run": "echo 'Ask a person first, who knows what is out there.' >&2; exit 2" } ] } }`,
  'home/bin/claude': '#!/bin/sh\necho 2.1.325\n',
  'home/bin/opencode': '#!/bin/sh\necho 1.18.33\n',
  'project/.claude/settings.json': JSON.stringify({
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: LINE }] }],
      PostToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: LINE }] }],
    },
  }),
  [`project/${SCRIPT}`]: '#!/bin/sh\n# the very bytes\nexit 0\n',
};

function open(columns: number, ...args: string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-widths-')));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    if (text.startsWith('#!')) chmodSync(join(root, name), 0o755);
  }
  const home = join(root, 'home');
  const env = { PATH: `${home}/bin:${process.env['PATH'] ?? ''}`, HOME: home, LANG: 'C.UTF-8' };
  const line = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  const terminal = openTerminal(line, env, join(root, 'project'), { columns, rows: 90 });
  onTestFinished(() => {
    terminal.close();
    removeTree(root);
  });
  return terminal;
}
/** Words, whatever the lines they stand on. */
const flowing = (screen: string): string => screen.replaceAll(/\s+/g, ' ');
/** The same with nothing between them: of hashes and lines without a space. */
const joined = (screen: string): string => screen.replaceAll(/\s+/g, '');

describe.skipIf(missing !== undefined).each([60, 80, 120])('at %i columns', (columns) => {
  test('list says what waits for trust, with a hash that can be pasted', async () => {
    const { sees, broken } = open(columns, 'list');
    const screen = await sees(/ended with \d/);
    expect(broken()).toEqual([]);
    expect(flowing(screen)).toContain('(PreToolUse) Bash · waits for trust · if it breaks: allow');
    expect(screen).toMatch(/^ {4}anyhook trust add sha256:[0-9a-f]{12}$/m);
  });

  test('trust shows whole commands and each script once, and asks for all or one by one', async () => {
    const { sees, broken, types, keys } = open(columns, 'trust', 'add');
    const screen = await sees('[y]es, [o]ne by one, [N]o:');
    expect(broken()).toEqual([]);
    expect(joined(screen).split(joined(LINE))).toHaveLength(3);
    expect(screen.split('# the very bytes')).toHaveLength(2);
    types('o');
    keys('Enter');
    await sees('1 of 2: trust exactly this? [y/N]');
    types('y');
    keys('Enter');
    await sees('2 of 2: trust exactly this? [y/N]');
    keys('Enter');
    await sees('ended with 0');
    expect(broken()).toEqual([]);
  });

  test('the menu shows what waits for trust', async () => {
    const { sees, broken, keys } = open(columns, 'hooks');
    await sees('Waiting for trust: 2');
    expect(broken()).toEqual([]);
    keys('Down', 'Down', 'Down', 'Down', 'Enter');
    await sees('[waits for trust] PreToolUse');
    expect(broken()).toEqual([]);
    keys('Enter');
    await sees('Trust');
    expect(broken()).toEqual([]);
  });

  test('doctor names the agents, what reaches them and what is wrong', async () => {
    const { sees, broken } = open(columns, 'doctor');
    const screen = await sees(/ended with \d/);
    expect(broken()).toEqual([]);
    expect(flowing(screen)).toContain('to reach it: anyhook install claude-code');
    expect(flowing(screen)).toContain('comes from the project and was never trusted');
  });

  test('install asks one question', async () => {
    const { sees, keys } = open(columns, 'install');
    const screen = await sees(/or\s+names:/);
    expect(flowing(screen)).toContain('Install for Claude Code, OpenCode? [y]es, [n]o, [d]iff, or names:');
    keys('Enter');
    await sees('Nothing was changed.');
  });
});
