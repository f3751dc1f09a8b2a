/**
 * T33, T36: pipes, devices, links and folders in place of journals and heads. Regressions: `verify` and `doctor`
 * waited for a pipe forever and read `/dev/zero` until memory was full, and a host with a pipe as head never returned
 * from its first record.
 */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, expect, test } from 'vitest';
import { fire } from '../../src/journal/fixtures/fire.ts';
import { openJournal } from '../../src/journal/index.ts';
import { makeRecord } from '../../src/journal/record.ts';
import { verify } from '../../src/journal/verify.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { result } from './results.ts';

const CLI = join(import.meta.dirname, '../../bin/anyhook.cjs');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-planted-')));
afterAll(() => removeTree(root));
const JOURNAL = '.local/state/anyhook/journal';
const HEADS = '.local/share/anyhook/heads';

/** A home with one session that has one record. */
function makeHome(): string {
  const home = mkdtempSync(join(root, 'home-'));
  const journal = openJournal({
    folder: join(home, JOURNAL),
    heads: join(home, HEADS),
    session: 's',
    env: {},
  });
  journal.write(makeRecord(fire({ command: 'ls' })));
  journal.close();
  return home;
}
const THINGS: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
  'a link to a pipe': (path) => (execFileSync('mkfifo', [`${path}.pipe`]), symlinkSync(`${path}.pipe`, path)),
  'a folder': (path) => void mkdirSync(path),
};
const PLACES: Readonly<Record<string, string>> = {
  'the session': `${JOURNAL}/s.jsonl`,
  'its next part': `${JOURNAL}/s~~2.jsonl`,
  'another session': `${JOURNAL}/other.jsonl`,
  'its head': `${HEADS}/s.head`,
};
/** Runs with a time limit and little memory. */
async function run(home: string, args: readonly string[]) {
  const { exitCode, timedOut, stdout, stderr } = await execa(
    process.execPath,
    ['--max-old-space-size=300', ...args],
    { cwd: '/', env: { HOME: home }, extendEnv: false, reject: false, timeout: 30_000, input: '' },
  );
  return { code: timedOut ? 'hung' : exitCode, text: `${stdout}${stderr}` };
}

const CELLS = Object.keys(PLACES).flatMap((place) =>
  Object.keys(THINGS).map((thing) => [place, thing] as const),
);
test.each(CELLS)(
  'with %s replaced by %s, verify reports it, and log and doctor exit',
  async (place, thing) => {
    const home = makeHome();
    const path = join(home, PLACES[place]!);
    rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    THINGS[thing]!(path);
    const [checked, logged, last, examined] = await Promise.all(
      [['verify'], ['log'], ['why', '--last'], ['doctor']].map((words) => run(home, [CLI, ...words])),
    );
    expect([checked!.code, checked!.text]).toEqual([
      1,
      expect.stringMatching(/cannot be read|no regular file/),
    ]);
    expect([logged!.code, last!.code]).toEqual([place === 'its head' ? 0 : 1, expect.any(Number)]);
    expect(examined!.text).toContain('journal-damaged');
  },
);

const HOST = `
import { createHooks } from ${JSON.stringify(join(import.meta.dirname, '../../dist/index.js'))};
const hooks = await createHooks({ host: { name: 'x', can: { 'tool.before': { deny: 'full' } } }, hooks: { 'tool.before': [{ run: () => ({ kind: 'deny', reason: 'no' }) }] }, journal: { keepDays: 1 } });
const { verdict } = await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } }, ids: { session: 's' } });
console.log(verdict);
process.exit(0);
`;
test.each([...CELLS, ...Object.keys(THINGS).map((thing) => ['what was shipped', thing] as const)])(
  'in the place of %s stands %s: a host answers all the same',
  async (place, thing) => {
    const home = makeHome();
    const path = join(home, PLACES[place] ?? `${JOURNAL}/.shipped/there.jsonl`);
    rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    THINGS[thing]!(path);
    execFileSync('touch', [
      '-d',
      '2001-01-01',
      join(home, JOURNAL),
      ...(existsSync(join(home, JOURNAL, 's.jsonl')) && place !== 'the session'
        ? [join(home, JOURNAL, 's.jsonl')]
        : []),
    ]);
    const file = join(root, 'host.mjs');
    writeFileSync(file, HOST);
    const { code, text } = await run(home, [file]);
    expect([code, text.split('\n')[0]]).toEqual([0, 'deny']);
  },
);

test('a journal that is moved away during a write is recreated with a notice', async () => {
  const home = makeHome();
  const journal = openJournal({
    folder: join(home, JOURNAL),
    heads: join(home, HEADS),
    session: 's',
    env: {},
  });
  journal.write(makeRecord(fire({ command: 'one' })));
  renameSync(journal.file, `${journal.file}.gone`);
  await pause(80); // The journal checks its file every 50 ms.
  expect(journal.write(makeRecord(fire({ command: 'two' })))).toMatchObject({ written: true });
  const { problems } = verify(journal.file, journal.head);
  expect([existsSync(journal.file), problems.map(({ kind }) => kind)]).toEqual([
    true,
    expect.arrayContaining(['gap']),
  ]);
});

test('every replacement was tried', () => {
  result(
    'G2',
    `pipes, devices, links and folders in the place of journals and heads: ${CELLS.length} kinds`,
    '0 wait for ever, 0 pass as sound, hosts answer',
  );
});
