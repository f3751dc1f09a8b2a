/** Long-running commands of the built package: `log --follow` and `test --watch`. */

import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { World } from './trust/world.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));

/** A command that stays until the test is over, and what it has printed. */
function staying(world: World, ...args: string[]): { readonly printed: () => string } {
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args], {
    cwd: world.project,
    env: { PATH: process.env['PATH'], HOME: world.home },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // with the processes it starts
  });
  onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
  let text = '';
  child.stdout!.on('data', (bytes) => void (text += String(bytes)));
  return { printed: () => text };
}
const soon = (assertion: () => void) => expect.poll(() => attempt(assertion), { timeout: 45_000 }).toBe('');
function attempt(assertion: () => void): string {
  try {
    assertion();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('anyhook log --follow', () => {
  test('log --follow prints existing records, then each new matching record once', async () => {
    const world = new World();
    const settings = { hooks: { 'tool.before': [{ match: 'shell', run: 'exit 2' }] } };
    world.put('.config/anyhook/hooks.json', JSON.stringify(settings), world.home);
    await world.fire('shell', { command: 'first' });
    const log = staying(world, 'log', '--follow', '--json', '--verdict', 'deny');
    const seen = () =>
      log
        .printed()
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { before: { input: { command: string } } }).before.input.command);
    await soon(() => expect(seen()).toEqual(['first']));
    await world.fire('read', { path: 'x' }); // nobody refuses it
    await world.fire('shell', { command: 'second' });
    await soon(() => expect(seen()).toEqual(['first', 'second']));
    await world.fire('shell', { command: 'third' });
    await soon(() => expect(seen()).toEqual(['first', 'second', 'third']));
  }, 120_000);
});

describe('anyhook test --watch', () => {
  test('test --watch prints the results of the cases, and again after a change beside them', async () => {
    const world = new World();
    const cases = (verdict: string) =>
      `command: exit 2\ncases:\n  - name: the push\n    event: tool.before\n    tool: shell\n    expect: ${verdict}\n`;
    world.put('guard.test.yaml', cases('deny'));
    const watched = staying(world, 'test', '--watch');
    await soon(() => expect(watched.printed()).toMatch(/1 passed|1 case/));
    const before = watched.printed().length;
    writeFileSync(join(world.project, 'guard.test.yaml'), cases('none'));
    await soon(() => expect(watched.printed().slice(before)).toContain('expected none, got deny'));
  }, 120_000);
});
