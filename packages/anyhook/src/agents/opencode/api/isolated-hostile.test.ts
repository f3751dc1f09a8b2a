/**
 * Plugins that would stop, block or overload a host, run through `createHooks`: each is reported and isolated, and the
 * next event works.
 */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EVERYTHING } from '../../../events/capabilities.ts';
import type { Options } from '../../../gather/options.ts';
import { createHooks } from '../../../library/create-hooks.ts';
import type { Hooks } from '../../../library/hooks.ts';
import { sacrificed } from '../../../modules/fixtures/sacrificed.ts';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
afterAll(ground.remove);
let number = 0;

/** What the hook does, and the kind of the resulting failure. */
const HOSTILE = {
  'blocks the event loop': ['for (;;);', 'timed-out'],
  'calls process.exit': ['process.exit(0);', 'failed'],
  'ends itself by a signal': [
    "process.kill(process.pid, 'SIGKILL'); return new Promise(() => {});",
    'killed',
  ],
  'leaks memory': [
    'const kept = []; for (;;) kept.push(new Array(1e6).fill(0.5));',
    /killed|failed|timed-out/,
  ],
  'floods stdout and stderr, then exits': [
    "for (let i = 0; i < 1000; i++) { process.stdout.write('x'.repeat(65536)); process.stderr.write('y'.repeat(65536)); } process.exit(1);",
    'failed',
  ],
  'throws where nobody can catch it': [
    "setTimeout(() => { throw new Error('later'); }, 0); return new Promise(() => {});",
    'failed',
  ],
  'never answers': ['return new Promise(() => {});', 'timed-out'],
} as const;
type Fault = keyof typeof HOSTILE;

/** One plugin with all faults. The command selects the fault. */
const SOUND = `export default async () => ({
  'tool.execute.before': (input, { args }) => { ${Object.entries(HOSTILE)
    .map(([fault, [body]]) => `if (args.command === ${JSON.stringify(fault)}) { ${body} }`)
    .join('\n')} args.command += '!'; },
});`;
function homeWith(text: string): { home: string; cwd: string } {
  const name = `h${++number}`;
  ground.write(`${name}/home/.config/opencode/plugin/hostile.js`, text);
  ground.write(`${name}/project/.keep`, '');
  return { home: join(ground.root, name, 'home'), cwd: join(ground.root, name, 'project') };
}
const opened = (text: string, more: Partial<Options> = {}) =>
  createHooks({
    host: { name: 'test', can: EVERYTHING },
    ...homeWith(text),
    modules: { isolate: 'all' },
    journal: false,
    limits: { budgetMs: 800 },
    settings: { dialects: ['opencode'] },
    ...more,
  });
const shell = (command: string) =>
  ({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command } },
    ids: { session: 's' },
  }) as const;

describe('a plugin with every fault, in its own process', { timeout: 120_000 }, () => {
  let hooks: Hooks;
  beforeAll(async () => {
    hooks = await opened(SOUND);
    expect(hooks.problems).toEqual([]);
  });
  afterAll(() => hooks.close());

  test.each(Object.keys(HOSTILE) as Fault[])(
    'an isolated plugin that %s is refused by name, and answers the next event again',
    async (fault) => {
      const outcome = await hooks.fire(shell(fault));
      const failed = outcome.runs.flatMap(({ answer }) => answer?.failed?.kind ?? []);
      expect([outcome.verdict, outcome.reasons.map(({ broken }) => broken)]).toEqual(['deny', [true]]);
      const kind = HOSTILE[fault][1];
      expect(failed).toEqual([typeof kind === 'string' ? kind : expect.stringMatching(kind)]);
      await expect
        .poll(async () => (await hooks.fire(shell('ls'))).payload, { timeout: 20_000 })
        .toMatchObject({ input: { command: 'ls!' } });
    },
  );
});

describe.concurrent('a plugin in its own process', { timeout: 120_000 }, () => {
  test.each([
    ['exits', 'process.exit(0);', /exited with code 0/],
    ['blocks for ever', 'for (;;);', /did not finish loading|no answer|within/],
    ['throws', "throw new Error('at load');", /at load/],
  ])(
    'an isolated plugin that %s while it is loaded is a problem with its file, and the others work',
    async (_, line, why) => {
      const place = homeWith(`${line}\nexport default async () => ({});`);
      ground.write(`h${number}/home/.config/opencode/plugin/sound.js`, SOUND);
      const hooks = await createHooks({
        host: { name: 'test', can: EVERYTHING },
        ...place,
        modules: { isolate: 'all', loadMs: 3000 },
        journal: false,
        settings: { dialects: ['opencode'] },
      });
      const file = join(place.home, '.config/opencode/plugin/hostile.js');
      expect(hooks.problems).toMatchObject([{ file, message: expect.stringMatching(why) as string }]);
      const outcome = await hooks.fire(shell('ls'));
      expect([outcome.verdict, outcome.payload]).toMatchObject(['none', { input: { command: 'ls!' } }]);
      const failed = outcome.runs.flatMap(({ answer }) => answer?.failed?.kind ?? []);
      expect(new Set(failed)).toEqual(new Set(['not-loaded']));
      await hooks.close();
    },
  );

  test('an isolated plugin that dies in a tool or background hook affects nothing else', async () => {
    const hooks = await opened(
      `export default async () => ({
         event: () => process.exit(3),
         'chat.params': (input, output) => { output.temperature = 0; },
         tool: { die: { description: 'dies', args: {}, execute: () => process.exit(4) } },
       });`,
    );
    const scene = { session: 's', cwd: ground.root, signal: new AbortController().signal };
    await expect(hooks.offers.tools[0]!.execute({}, scene)).rejects.toThrow('exited with code 4');
    await hooks.fire({ name: 'agent.idle', payload: {}, ids: { session: 's' } });
    // Not `expect.poll`, which may not know its test when tests run concurrently.
    await vi.waitFor(
      async () => {
        const { payload } = await hooks.fire({ name: 'model.parameters', payload: { model: {} } as never });
        expect(payload['temperature']).toBe(0);
      },
      { timeout: 20_000 },
    );
    await hooks.close();
  });
});

describe('control: a plugin in the process of the host', () => {
  test.each(['blocks the event loop', 'calls process.exit'] as const)(
    'a plugin that %s stops the host if it is not isolated',
    async (command) => {
      const [here, apart] = await Promise.all([
        sacrificed({ ...homeWith(SOUND), isolate: 'none', command }),
        sacrificed({ ...homeWith(SOUND), isolate: 'all', command }),
      ]);
      expect([here.isAlive, apart.isAlive, apart.ended]).toEqual([false, true, 0]);
    },
    150_000,
  );
});
