import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { anyhook } from '../src/agents/anyhook/dialect/index.ts';
import { createHooks } from '../src/library/create-hooks.ts';

const home = mkdtempSync(join(tmpdir(), 'anyhook-opaque-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function fired(entry: object, command: string) {
  const folder = join(home, '.config/anyhook');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ hooks: { 'tool.before': [entry] } }));
  const hooks = await createHooks({
    host: { name: 'test', can: anyhook.can },
    home,
    cwd: home,
    env: { PATH: process.env['PATH'] },
    journal: false,
  });
  const outcome = await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command } } });
  const [planned] = hooks
    .plan({ name: 'tool.before', payload: { tool: 'shell', input: { command } } })
    .asked.filter(({ hook }) => hook.origin.file !== '(built in)');
  await hooks.close();
  return {
    verdict: outcome.verdict,
    reasons: outcome.reasons.map(({ text }) => text),
    opaque: planned?.opaque,
  };
}
const refusing = { match: 'shell(rm -rf*)', run: 'echo "move it to the trash" >&2; exit 2' };

describe('a hook whose matcher is undecidable', () => {
  test('is a question that says so; the hook itself is not asked', async () => {
    const { verdict, reasons, opaque } = await fired(refusing, '$CMD -rf x');
    expect(verdict).toBe('ask');
    expect(reasons.join()).toMatch(
      /could not be judged: the command's name is known only at run time: \$CMD -rf x/,
    );
    expect(reasons.join()).not.toMatch(/trash/);
    expect(opaque).toMatch(/known only at run time/);
  });

  test.each([
    ['block', 'deny'],
    ['allow', 'none'],
  ] as const)('with "opaque": "%s" it is %s', async (opaque, verdict) => {
    expect((await fired({ ...refusing, opaque }, '$CMD -rf x')).verdict).toBe(verdict);
  });

  test('with "opaque": "run" the hook is asked', async () => {
    expect((await fired({ ...refusing, opaque: 'run' }, '$CMD -rf x')).reasons.join()).toMatch(/trash/);
  });

  test('what can be read is not in doubt', async () => {
    expect((await fired(refusing, 'python3 -c "print(1)"')).verdict).toBe('none');
    expect((await fired(refusing, 'rm --force --recursive x')).verdict).toBe('deny');
  });
});

describe('a danger without a hook', () => {
  test('is refused with the reason and what to do instead', async () => {
    const { verdict, reasons } = await fired({ match: 'danger:delete' }, 'rm -fr ~/projects');
    expect([verdict, reasons]).toEqual([
      'deny',
      [
        expect.stringMatching(
          /^Refused \(danger:delete\): `rm -fr ~\/projects`: it deletes .* or ask the person/,
        ),
      ],
    ]);
  });

  test('passes what only looks like it', async () => {
    expect((await fired({ match: 'danger:delete' }, 'rm -rf dist')).verdict).toBe('none');
  });
});
