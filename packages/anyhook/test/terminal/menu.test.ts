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
import { hasTmux, openTerminal, type Terminal } from './tmux.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));
const missing = hasTmux() ? (existsSync(CLI) ? undefined : 'it is not built') : 'tmux is not here';
if (missing !== undefined) process.stderr.write(`The menu is not tried in a terminal: ${missing}.\n`);

const SETTINGS = `{
  // what agents may not do
  "hooks": {
    "tool.before": [
      { "name": "no-push", "match": "shell(git push*)", "run": "echo ask first >&2; exit 2" }, // mine
      { "name": "watch", "match": "write", "run": "true" },
    ],
  },
}
`;

function open(files: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-tmux-')));
  for (const folder of ['home', 'project']) mkdirSync(join(root, folder));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    if (name.endsWith('.sh')) chmodSync(join(root, name), 0o755);
  }
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), LANG: 'C.UTF-8', ...more };
  const terminal: Terminal = openTerminal(`'${process.execPath}' '${CLI}' hooks`, env, join(root, 'project'));
  onTestFinished(() => {
    terminal.close();
    removeTree(root);
  });
  return { ...terminal, at: (name: string) => join(root, name) };
}

describe.skipIf(missing !== undefined)('anyhook hooks, in a terminal', () => {
  test('a hook is switched off after its diff was shown, and on again byte for byte', async () => {
    const { sees, keys, types, at } = open({ 'home/.config/anyhook/hooks.json': SETTINGS });
    const file = at('home/.config/anyhook/hooks.json');
    await sees('2 hooks in 1 file');
    keys('Enter'); // by file; there is one
    await sees('[on] tool.before  shell(git push*)  no-push');
    keys('Enter');
    await sees('Switch off');
    keys('Enter');
    await sees(/\+.*"disabled"/);
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    types('y');
    keys('Enter');
    await sees('2 hooks in 1 file, 1 off');
    expect(readFileSync(file, 'utf8')).toContain(`"disabled": [ { "id": "${file}#no-push" } ]`);
    expect(readFileSync(file, 'utf8')).toContain('// mine');
    keys('Enter');
    await sees('[off] tool.before');
    keys('Up', 'Up', 'Down', 'Enter'); // the one that is off stands last
    await sees('Switch on');
    keys('Enter');
    await sees('Write this?');
    types('y');
    keys('Enter');
    await sees(/2 hooks in 1 file(?!, 1 off)[^]*By file[^]*By event/);
    await sees('Written: ~/.config/anyhook/hooks.json');
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    keys('Escape');
    await sees('ended with 0');
  });

  test('a test-fire shows what the hook says, and ctrl+c leaves everything as it is', async () => {
    const { sees, keys, at } = open({ 'home/.config/anyhook/hooks.json': SETTINGS });
    await sees('2 hooks in 1 file');
    keys('Enter');
    await sees('no-push');
    keys('Enter');
    await sees('Test-fire');
    keys('Down', 'Down', 'Down', 'Enter');
    await sees('Fire this');
    keys('Enter');
    await sees('deny: ask first');
    keys('C-c');
    await sees('ended with 0');
    expect(readFileSync(at('home/.config/anyhook/hooks.json'), 'utf8')).toBe(SETTINGS);
  });

  test('a project’s hook is trusted from the menu, after exactly what will run was shown', async () => {
    const { sees, keys, types, at } = open({
      'project/.opta/config.json': JSON.stringify({ hooks: [{ event: 'tool.pre', command: './guard.sh' }] }),
      'project/guard.sh': '#!/bin/sh\n# the very bytes\nexit 1\n',
    });
    await sees('Waiting for trust: 1');
    keys('Enter');
    await sees('[waits for trust] tool.pre');
    keys('Enter');
    await sees('Recent runs');
    keys('Down', 'Down', 'Down', 'Down', 'Enter');
    await sees('# the very bytes');
    types('y');
    keys('Enter');
    await sees(/Trusted sha256:[0-9a-f]{64}/);
    expect(existsSync(at('home/.local/share/anyhook/trust'))).toBe(true);
  });

  test('inside an agent it does not open', async () => {
    const { sees } = open({ 'home/.config/anyhook/hooks.json': SETTINGS }, { CLAUDECODE: '1' });
    await sees('started by Claude Code');
    await sees('ended with 2');
  });
});
