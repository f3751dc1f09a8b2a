/** Shows the agent at common widths: a diff, a question, a refusal, a rewritten call. */

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { removeTree } from '../../../anyhook/src/settings/remove-tree.ts';
import { hasTmux, Tmux } from './tmux.ts';

const MAIN = new URL('../../dist/main.js', import.meta.url).pathname;
const LONG = 'zwei, which is a rather long line that does not fit on a narrow screen, however it is turned';
const STEPS = [
  { calls: [{ tool: 'edit', input: { path: 'a.txt', old: 'two', new: LONG } }] },
  { calls: [{ tool: 'shell', input: { command: 'rm -rf /' } }] },
  { calls: [{ tool: 'shell', input: { command: 'echo hello' } }] },
  { text: 'All done.' },
];
const HOOKS = {
  hooks: {
    'tool.before': [
      { match: 'shell', name: 'looks twice', run: `echo '{"decision":"allow"}'` },
      {
        match: 'shell(echo*)',
        name: 'politely',
        run: `echo '{"set":{"input":{"command":"echo hello, please"}}}'`,
      },
    ],
  },
};

let ground = '';
let tmux: Tmux | undefined;
afterEach(() => {
  tmux?.close();
  removeTree(ground); // An exiting program may still write its state.
});

function open(columns: number): Tmux {
  ground = mkdtempSync(join(tmpdir(), 'agent-widths-'));
  const files = {
    'project/a.txt': 'one\ntwo\nthree\n',
    'script.json': JSON.stringify(STEPS),
    'home/.config/anyhook/hooks.json': JSON.stringify(HOOKS),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ground, name)), { recursive: true });
    writeFileSync(join(ground, name), text);
  }
  tmux = new Tmux({
    columns,
    rows: 60,
    cwd: join(ground, 'project'),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(ground, 'home'),
      TERM: 'screen-256color',
      LANG: 'C.UTF-8',
    },
    command: [
      process.execPath,
      MAIN,
      '--model',
      `scripted:${join(ground, 'script.json')}`,
      '--permission',
      'ask',
      'go',
    ],
  });
  return tmux;
}

/** The words of the screen, regardless of line breaks. */
const flowing = (screen: string): string => screen.replaceAll(/\s+/g, ' ');

describe.skipIf(!hasTmux).each([60, 80, 120])('the agent at %i columns', (columns) => {
  test('the screen shows the diff before the question and after the edit, full reasons and the requested command', async () => {
    const screen = open(columns);
    const asked = await screen.shows('enter chooses');
    expect(readFileSync(join(ground, 'project/a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(flowing(asked)).toContain(`● edit a.txt @@ -1,3 +1,3 @@ one -two +${LONG} three`);
    screen.type('Enter');
    const later = await screen.shows('All done.');
    expect(flowing(later)).toContain(`✓ edit a.txt @@ -1,3 +1,3 @@ one -two +${LONG} three Edited`);
    expect(flowing(later)).toMatch(
      /⊘ shell rm -rf \/ ↳ keeps the agent from changing its own hooks \(tool\.before\): denied refused: it would delete the whole file system, and with it .*: hooks, their settings, trust and journal are for a person to change, not for the agent/,
    );
    expect(flowing(later)).toContain(
      '✓ shell echo hello, please ↳ looks twice (tool.before): allowed ↳ politely (tool.before): changed input.command ↳ looks twice (tool.before, asked again): allowed changed by a hook: command; asked for was: echo hello hello, please',
    );
    for (const line of later.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  });
});
