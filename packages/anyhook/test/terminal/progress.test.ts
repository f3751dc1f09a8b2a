/** Long work says on stderr what it is at, where a person looks on; nothing of it goes where nobody does. */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { hasTmux, openTerminal } from './tmux.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));
const missing = hasTmux() ? (existsSync(CLI) ? undefined : 'it is not built') : 'tmux is not here';
if (missing !== undefined) process.stderr.write(`Progress is not tried in a terminal: ${missing}.\n`);

/** A home with two agents, of which one is slow to say its version, and a recorded session. */
function stand() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-progress-')));
  onTestFinished(() => removeTree(root));
  const home = join(root, 'home');
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    if (text.startsWith('#!')) chmodSync(join(root, name), 0o755);
  };
  mkdirSync(join(root, 'project'));
  put('home/bin/claude', '#!/bin/sh\n[ "$1" = --version ] || sleep 2\necho 2.1.325\n');
  put(
    'home/.config/anyhook/hooks.json',
    '{ "engine": "off", "hooks": { "tool.before": [{ "match": "shell", "run": "sleep 1" }] } }',
  );
  const env = { PATH: `${home}/bin:${process.env['PATH'] ?? ''}`, HOME: home, LANG: 'C.UTF-8' };
  const anyhook = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, [CLI, ...args], { cwd: join(root, 'project'), env, input, encoding: 'utf8' });
  return { root, env, anyhook };
}
const EVENT = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 's1',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
});

describe.skipIf(missing !== undefined)('progress', () => {
  test.each([
    ['replay', ['replay'], /Replaying [12] of 2 …/],
    ['doctor --probe', ['doctor', '--probe'], /Probing Claude Code, .*\(1 of 1\) …/],
    ['install', ['install', '--dry-run'], /Looking at the settings of Claude Code …/],
  ] as const)(
    '%s says what it is at in a terminal, and nothing without one',
    async (_, args, line) => {
      const { root, env, anyhook } = stand();
      anyhook(['fire', '--as', 'claude-code'], EVENT);
      anyhook(['fire', '--as', 'claude-code'], EVENT);
      if (args[0] === 'doctor') anyhook(['install', 'claude-code', '--json']);
      const quiet = anyhook(args);
      expect(quiet.stderr).toBe('');
      expect(quiet.stdout).not.toMatch(line);
      // `script` would show what was drawn over; a terminal of its own keeps every byte in a log.
      const log = join(root, 'shown');
      const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
      const terminal = openTerminal(`script -qfec "${command}" '${log}'`, env, join(root, 'project'));
      onTestFinished(() => terminal.close());
      await terminal.sees(/^ended with \d/m);
      expect(readFileSync(log, 'utf8')).toMatch(line);
      expect(await terminal.sees(/^ended with \d/m)).not.toMatch(line);
    },
    120_000,
  );
});
