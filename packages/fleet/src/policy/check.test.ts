/** Checks a policy against its own files and against recorded sessions. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createHooks } from 'anyhook';
import { journalPlaces, readFolder } from 'anyhook/journal';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countTrials } from '../report.ts';
import { checkPolicy } from './check.ts';

let root = '';
const put = (file: string, value: unknown) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), typeof value === 'string' ? value : JSON.stringify(value));
};
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'check-')));
  for (const name of ['home', 'project', 'policy']) mkdirSync(join(root, name), { mode: 0o755 });
  put('policy/policy.json', { version: 3 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NO_PUSH = {
  hooks: { 'tool.before': [{ name: 'no-push', match: 'shell(git push*)', run: 'echo never >&2; exit 2' }] },
};
const checked = (...journals: string[]) => checkPolicy(join(root, 'policy'), journals);
/** Writes the journal of a session. */
async function recorded(commands: readonly string[], managed?: string): Promise<string> {
  const hooks = await createHooks({
    host: { name: 'my-agent', can: { 'tool.before': { deny: 'full' } } },
    home: join(root, 'home'),
    cwd: join(root, 'project'),
    ...(managed !== undefined && { managed: { folder: managed, owner: process.getuid!() } }),
    hooks: { 'tool.before': () => undefined },
  });
  for (const command of commands)
    await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input: { command } },
      ids: { session: 's' },
    });
  await hooks.close();
  return journalPlaces({ home: join(root, 'home') }).folder;
}

describe('a policy', () => {
  test('a valid policy lists what it contains', async () => {
    put('policy/hooks.json', NO_PUSH);
    expect(await checked()).toMatchObject({
      isSound: true,
      lines: ['version 3, 1 hook (no-push)', expect.stringMatching(/not known \(--journal\)/)],
    });
  });

  test.each([
    ['does not parse', 'policy/policy.json', '{ "version": ', /policy\.json/],
    ['has hooks that do not parse', 'policy/hooks.json', '{ "hooks": ', /hooks\.json/],
    ['names a module that is missing', 'policy/hooks.json', { hookPaths: ['./gone.mjs'] }, /gone\.mjs/],
    ['has a module that throws', 'policy/hooks/bad.mjs', 'throw new Error("oh");', /bad\.mjs/],
    [
      'names an event that nobody knows',
      'policy/hooks.json',
      { hooks: { 'tool.befor': [{ run: 'true' }] } },
      /tool\.befor/,
    ],
  ])('a policy that %s is rejected with the location', async (_, file, value, where) => {
    put(file, value);
    const { isSound, lines } = await checked();
    expect([isSound, lines.some((line) => line.startsWith('error') && where.test(line))]).toEqual([
      false,
      true,
    ]);
    expect(lines.join('\n')).not.toContain('anyhook-policy-'); // The copy in which the check ran.
  });

  test('a policy without a version cannot be rolled out', async () => {
    rmSync(join(root, 'policy/policy.json'));
    expect(await checked()).toMatchObject({ isSound: false });
  });

  test('a check against a recorded session lists the refused calls and the hooks that refused them', async () => {
    const journal = await recorded(['ls', 'git push', 'git status']);
    put('policy/hooks.json', NO_PUSH);
    const { isSound, trial } = await checked(journal);
    expect([isSound, trial.replayed]).toEqual([false, 3]);
    expect(trial.refusals.map(({ verdict, reasons }) => [verdict, reasons])).toEqual([
      ['deny', [{ hook: 'no-push', text: 'never' }]],
    ]);
    put('policy/hooks.json', { hooks: {} });
    expect(await checked(journal)).toMatchObject({ isSound: true });
  });

  test('a policy on trial is checked as if it were enforced', async () => {
    const journal = await recorded(['git push']);
    put('policy/hooks.json', NO_PUSH);
    put('policy/policy.json', { version: 3, shadow: true });
    expect((await checked(journal)).trial.refusals).toHaveLength(1);
  });
});

test('a trial is counted per hook, with the affected users', async () => {
  put('policy/hooks.json', NO_PUSH);
  put('policy/policy.json', { version: 3, shadow: true });
  const journal = await recorded(['git push', 'ls', 'git push origin'], join(root, 'policy'));
  const records = [...readFolder(journal)].flatMap((entry) =>
    entry.kind === 'record' ? [entry.record] : [],
  );
  expect(await countTrials(records)).toEqual([
    {
      hook: expect.stringContaining('no-push'),
      file: join(root, 'policy/hooks.json'),
      asked: 2,
      deny: 2,
      ask: 0,
      failed: 0,
      sessions: 1,
      machines: 1,
      users: 1,
      reasons: [{ text: 'never', count: 2 }],
    },
  ]);
  expect(records[0]).toMatchObject({
    origin: { policy: 3, machine: expect.any(String), user: expect.any(String) },
  });
});
