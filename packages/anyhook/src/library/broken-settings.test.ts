import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { before, ground, OPTA, shell, type TestGround, USER } from './fixtures/ground.ts';
import { withProblems } from './what-is-off.ts';

const PROJECT = 'project/.anyhook/hooks.json';
const fired = async ({ open }: TestGround) => {
  const hooks = await open({ trust: { selfProtection: false } });
  const { verdict, reasons } = await hooks.fire(shell('ls'));
  return {
    verdict,
    broken: reasons.map(({ broken }) => broken),
    problems: hooks.problems.map(({ code, severity }) => `${severity} ${code}`),
  };
};

describe('an unreadable anyhook settings file may have contained a guard', () => {
  const FAULTS: Record<string, readonly [code: string, plant: (file: string) => void]> = {
    'cut in the middle': ['syntax', (file) => writeFileSync(file, '{ "hooks": { "tool.before": [')],
    'a list': ['wrong-type', (file) => writeFileSync(file, '[]')],
    'with a key twice': ['duplicate-key', (file) => writeFileSync(file, '{ "hooks": {}, "hooks": {} }')],
    'a folder': ['file-not-regular', (file) => mkdirSync(file)],
    'a FIFO': ['file-not-regular', (file) => void execFileSync('mkfifo', [file])],
    'too large': ['file-too-large', (file) => writeFileSync(file, ' '.repeat(1024 * 1024 + 1))],
    'no UTF-8': ['file-unreadable', (file) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
    'a link that leads nowhere': ['file-unreadable', (file) => symlinkSync('/nowhere/at/all', file)],
    'a link that leads to itself': ['file-unreadable', (file) => symlinkSync(file, file)],
  };
  for (const [name, [code, plant]] of Object.entries(FAULTS))
    test(`${name}: a broken user file refuses tool calls until it is fixed`, async () => {
      const place = ground();
      mkdirSync(dirname(join(place.root, USER)), { recursive: true });
      plant(join(place.root, USER));
      expect(await fired(place)).toEqual({ verdict: 'deny', broken: [true], problems: [`error ${code}`] });
    });

  test('a missing file refuses nothing', async () => {
    expect(await fired(ground())).toEqual({ verdict: 'none', broken: [], problems: [] });
  });

  test('a broken project file refuses nothing if nothing in it was ever trusted', async () => {
    const place = ground({ [PROJECT]: '{' });
    expect(await fired(place)).toEqual({ verdict: 'none', broken: [], problems: ['error syntax'] });
  });

  test('a broken entry in a project file refuses nothing, because refusing is also an action', async () => {
    const place = ground({ [PROJECT]: before({ rum: 'x' }) });
    const { verdict, problems } = await fired(place);
    expect([verdict, problems.includes('error unknown-key')]).toEqual(['none', true]);
  });

  test('a broken project file refuses tool calls if something in it was trusted before', async () => {
    const place = ground({ [PROJECT]: before({ run: 'true' }) });
    const hashes = (await place.open()).examined.map(({ judgement }) => judgement.hash);
    const trusting = await place.open({ trust: { hashes } });
    for (const { entry } of trusting.examined) trusting.grant(entry);
    expect((await fired(place)).verdict).toBe('none');
    place.put(PROJECT, '{');
    expect(await fired(place)).toEqual({ verdict: 'deny', broken: [true], problems: ['error syntax'] });
    place.put(PROJECT, JSON.stringify(before({ rum: 'x' })));
    expect((await fired(place)).verdict).toBe('deny');
  });

  test('a broken file of another dialect is only reported as a problem, as its agent treats it', async () => {
    const place = ground({ [OPTA]: '{ "hooks": [' });
    expect(await fired(place)).toEqual({ verdict: 'none', broken: [], problems: ['error syntax'] });
  });
});

describe('a module', () => {
  const broken: Record<string, string> = {
    'with a syntax error': 'export default {',
    'that throws': `throw new Error('at load')`,
    'whose import is missing': `import './nowhere.mjs'`,
  };
  for (const [name, text] of Object.entries(broken))
    test(`${name} may have contained a guard: tool calls are refused, and other modules still load`, async () => {
      const place = ground({
        'home/.config/anyhook/hooks/a-broken.mjs': text,
        'home/.config/anyhook/hooks/b-sound.mjs': `import { defineHook, notice } from 'anyhook';\nexport default defineHook({ on: 'session.start', run: () => notice('sound') });`,
      });
      const hooks = await place.open({ trust: { selfProtection: false } });
      expect(hooks.problems.map(({ severity, file }) => [severity, file.endsWith('a-broken.mjs')])).toEqual([
        ['error', true],
      ]);
      const outcome = await hooks.fire(shell('ls'));
      expect([outcome.verdict, outcome.reasons[0]?.broken]).toEqual(['deny', true]);
      expect(outcome.reasons[0]?.text).toContain('a-broken.mjs');
      const start = await hooks.fire({ name: 'session.start', payload: {} });
      expect(start.said.map(({ text: said }) => said)).toEqual(['sound']);
    });
});

describe('a home folder', () => {
  test('a read-only home folder does not stop hooks and is reported', async () => {
    const { home, open } = ground({ [USER]: before({ run: 'echo no >&2; exit 2' }) });
    // A file in place of the folder: even root cannot write below it.
    writeFileSync(join(home, '.local'), '');
    chmodSync(home, 0o500);
    const warned: string[] = [];
    const hooks = await open({ services: { log: (_, message) => void warned.push(message) } });
    expect((await hooks.fire(shell('ls'))).reasons.map(({ text }) => text)).toEqual(['no']);
    expect(warned).toHaveLength(1);
    chmodSync(home, 0o700);
  });

  test('an unknown or relative home folder is ignored, and a project folder is not used instead', async () => {
    const { cwd } = ground({
      'project/.config/opta/config.json': { hooks: [{ event: 'tool.pre', command: 'exit 1' }] },
    });
    const program = `
      import { createHooks } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      const hooks = await createHooks({
        host: { name: 'x', can: { 'tool.before': { notice: 'full' } } }, cwd: ${JSON.stringify(cwd)},
        hooks: { 'tool.before': () => ({ kind: 'notice', text: 'asked' }) },
      });
      const { verdict, said } = await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: {} } });
      console.log(verdict, said.length, hooks.hooks.filter((hook) => hook.dialect === 'opta').length);`;
    for (const HOME of ['', '.', undefined]) {
      const { HOME: _, ...rest } = process.env;
      const env = { ...rest, ...(HOME !== undefined && { HOME }) };
      const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd,
        env,
        encoding: 'utf8',
      });
      expect(out.trim()).toBe('none 1 0');
    }
  });
});

test('hooks under a misspelled key are reported at session start, in the file of any agent', async () => {
  const guard = [{ hooks: [{ type: 'command', command: 'guard' }] }];
  const place = ground({
    'home/.claude/settings.json': { Hooks: { PreToolUse: guard } },
    'home/.codex/hooks.json': { hook: { PreToolUse: guard } },
    [OPTA]: { hoks: [{ event: 'tool.pre', command: 'guard' }] },
  });
  const hooks = await place.open();
  const begun = await hooks.fire({ name: 'session.start', payload: { source: 'startup' } });
  const { forPerson } = withProblems(begun, 'session.start', hooks.problems); // as every bridge does
  expect(forPerson.filter((text) => text.includes('Did you mean "hooks"?'))).toHaveLength(3);
});
