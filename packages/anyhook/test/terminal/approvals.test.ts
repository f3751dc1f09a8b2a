/** `anyhook approvals` in a real terminal: questions appear, scroll, and are answered with one key. */

import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Pin, pinFileIn } from '../../src/approvals/pin.ts';
import type { Question } from '../../src/approvals/question.ts';
import { ApprovalStore } from '../../src/approvals/store.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { hasTmux, openTerminal, type Terminal } from './tmux.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));
const missing = hasTmux() ? (existsSync(CLI) ? undefined : 'it is not built') : 'tmux is not here';
if (missing !== undefined) process.stderr.write(`Approvals are not tried in a terminal: ${missing}.\n`);

/** Longer than the time in which a key does not count for a question that has just appeared. */
const READ_MS = 800;
const hashOf = (n: number): string => n.toString(16).padEnd(8, '0').padEnd(64, 'f');

function open(pin?: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-tmux-')));
  for (const folder of ['home', 'home/project']) mkdirSync(join(root, folder));
  const store = new ApprovalStore(join(root, 'home/.local/state/anyhook/approvals'));
  if (pin !== undefined) new Pin(pinFileIn(join(root, 'home/.local/share/anyhook'))).set(pin);
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), LANG: 'C.UTF-8' };
  const line = `'${process.execPath}' '${CLI}' approvals`;
  const terminal: Terminal = openTerminal(line, env, join(root, 'home/project'));
  onTestFinished(() => {
    terminal.close();
    removeTree(root);
  });
  const ask = (n: number, command: string): string => {
    const question: Question = {
      hash: hashOf(n),
      nonce: 'n',
      askedAt: new Date(Date.now() - 60_000 + n).toISOString(),
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
      agent: 'codex',
      project: '/p',
      folder: '/p',
      session: 's',
      event: 'tool.before',
      tool: 'shell',
      call: JSON.stringify({ command }),
      changed: [],
      reasons: [{ by: 'h', hook: 'pushes, hooks.json:1', text: 'ask me', isManaged: false }],
    };
    store.ask(question);
    return question.hash;
  };
  return { ...terminal, store, ask };
}

describe.skipIf(missing !== undefined)('anyhook approvals, in a terminal', () => {
  test('a question appears by itself, and one key approves it', async () => {
    const { sees, types, store, ask } = open();
    await sees('0 open');
    const hash = ask(1, 'git push origin main');
    await sees('git push origin main');
    await pause(READ_MS);
    types('a');
    await sees('approved once');
    expect(store.answer(hash)).toMatchObject({ kind: 'once' });
  });

  test('a key that comes as a question appears does not answer it', async () => {
    const { sees, types, store, ask } = open();
    const [first, second] = [ask(1, 'git push one'), ask(2, 'git push two')];
    await sees('git push one');
    await pause(READ_MS);
    types('aa'); // the second key arrives when the next question is on the screen
    await sees('press the key again');
    expect([store.answer(first)?.kind, store.answer(second)]).toEqual(['once', undefined]);
  });

  test('a refusal carries a note, and a long call scrolls', async () => {
    const { sees, keys, types, store, ask } = open();
    const hash = ask(1, Array.from({ length: 90 }, (_, n) => `git push branch-${n}`).join('\n'));
    await sees('space and b scroll');
    for (let page = 0; page < 9; page++) {
      keys('Space');
      await pause(100);
    }
    await sees('git push branch-89');
    await pause(READ_MS);
    types('n');
    await sees('note for the model');
    types('one branch only');
    keys('Enter');
    await sees(/: refused\s*$/m);
    expect(store.answer(hash)).toMatchObject({ kind: 'refuse', note: 'one branch only' });
  });

  test('with a PIN nothing is shown before it, and a wrong one ends the command', async () => {
    const right = open('4711');
    right.ask(1, 'git push');
    await right.sees('PIN:');
    right.types('4711');
    right.keys('Enter');
    await right.sees('git push');
    const wrong = open('4711');
    await wrong.sees('PIN:');
    wrong.types('0000');
    wrong.keys('Enter');
    await wrong.sees('wrong PIN');
  });
});
