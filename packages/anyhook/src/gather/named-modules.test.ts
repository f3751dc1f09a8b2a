import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks } from '../library/create-hooks.ts';

let home = '';
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'named-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));
function put(name: string, text: string): string {
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const OURS = `import { defineHook, deny } from 'anyhook';
export default defineHook({ on: 'tool.before', run: () => deny('ours says no') });`;
const PIS = `export default function (pi) {
  pi.on('tool_call', async () => ({ block: true, reason: 'pi says no' }));
  pi.registerCommand('hello', { description: 'greets', handler: async () => {} });
}`;
const open = (modules: readonly string[]) =>
  createHooks({
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd: join(home, 'project'),
    env: {},
    journal: false,
    modules: { files: modules },
  });
const CALL = { name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } } as const;

describe('modules named by the user', () => {
  test.each(['ours.ts', 'pis.ts'])(
    '%s decides if it is named by an absolute path, relative to home or to the project',
    async (name) => {
      const file = put(`project/${name}`, name === 'ours.ts' ? OURS : PIS);
      for (const path of [file, `~/project/${name}`, name]) {
        const hooks = await open([path]);
        const outcome = await hooks.fire(CALL);
        expect([outcome.verdict, outcome.reasons.map(({ text }) => text), hooks.problems]).toEqual([
          'deny',
          [name === 'ours.ts' ? 'ours says no' : 'pi says no'],
          [],
        ]);
        await hooks.close();
      }
    },
  );

  test('offers of a named module are available', async () => {
    const hooks = await open([put('project/pis.ts', PIS)]);
    expect(hooks.offers.commands.map(({ name, description }) => ({ name, description }))).toEqual([
      { name: 'hello', description: 'greets' },
    ]);
    await hooks.close();
  });

  test('a module that is named twice runs once', async () => {
    const file = put('project/ours.ts', OURS);
    const hooks = await open([file, 'ours.ts', '~/project/ours.ts']);
    expect(hooks.hooks.filter(({ origin }) => origin.file === file)).toHaveLength(1);
    await hooks.close();
  });

  test('a missing named module is a problem, and refusable calls are refused', async () => {
    const hooks = await open(['nowhere.ts']);
    expect(hooks.problems.map(({ file, severity }) => [file, severity])).toEqual([
      [join(home, 'project', 'nowhere.ts'), 'error'],
    ]);
    expect((await hooks.fire(CALL)).verdict).toBe('deny');
    await hooks.close();
  });
});
