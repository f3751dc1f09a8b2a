/** `anyhook view` as a person types it. Runs the built package; the browser's part is `npm run test:view`. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { fire } from '../src/journal/fixtures/fire.ts';
import { makeRecord, openJournal } from '../src/journal/index.ts';
import { removeTree } from '../src/settings/remove-tree.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-view-command-')));
afterAll(() => removeTree(root));
const [home, cwd] = [join(root, 'home'), join(root, 'project')];
for (const folder of [home, cwd]) mkdirSync(folder);
const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' };
const anyhook = (...args: readonly string[]) =>
  spawnSync(process.execPath, [CLI, 'view', ...args], { cwd, env, encoding: 'utf8' });

const journal = openJournal({
  folder: join(home, '.local/state/anyhook/journal'),
  heads: join(home, '.local/share/anyhook/heads'),
  session: 's-1',
  env: {},
});
journal.write(makeRecord({ ...fire({ command: 'ls' }), atMs: Date.now() }));
journal.close();

describe('anyhook view', () => {
  test('prints its address, serves until it is stopped, and ends well', async () => {
    const view = spawn(process.execPath, [CLI, 'view', '--session', 's-1'], { cwd, env });
    const ended = once(view, 'exit');
    let text = '';
    for await (const part of view.stdout.setEncoding('utf8'))
      if ((text += String(part)).includes('ctrl+c')) break;
    const [, origin = '', token = ''] =
      /^(http:\/\/127\.0\.0\.1:\d+)\/#([\w-]{43})\/session\/s-1\n/.exec(text) ?? [];
    const headers = { 'x-anyhook-token': token };
    expect(await (await fetch(`${origin}/api/session?key=s-1`, { headers })).text()).toContain('shell ls');
    view.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });

  test('writes an export for you alone, and says what is in it', () => {
    const { status, stdout } = anyhook('--export', 'out.html', '--day', 'today');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^out\.html: 1 records, \d+ KB\.\n/)]);
    expect(readFileSync(join(cwd, 'out.html'), 'utf8')).toContain('"shell ls"');
    expect(statSync(join(cwd, 'out.html')).mode & 0o077).toBe(0);
  });

  test.each([
    [['--export', 'x.html'], 'view: --export takes either --session <id> or --day <date>'],
    [['--export', 'x.html', '--session', 'a', '--day', 'today'], 'view: --export takes either'],
    [['--export', 'x.html', '--day', '16.11.2026'], 'view: "16.11.2026" is not a date; write 2026-11-16'],
    [['--export', 'x.html', '--day', '2001-01-01'], 'view: nothing was recorded on 2001-01-01'],
    [['--export', 'x.html', '--session', 'nobody'], 'view: no session "nobody" was recorded'],
    [
      ['--export', 'no/such/folder/x.html', '--session', 's-1'],
      'view: no/such/folder/x.html cannot be written',
    ],
    [['--day', 'today'], 'view: --day is for --export <file>'],
    [['--cwd', 'nowhere'], 'view: --cwd nowhere: no such folder'],
  ])('wrong use %j is said in a line', (args, said) => {
    const { status, stderr } = anyhook(...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(existsSync(join(cwd, 'x.html'))).toBe(false);
  });
});
