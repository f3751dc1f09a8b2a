/** Plugins that would end, hold or drown a host, through `createHooks`: named, contained, and the next event works. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../canon/capabilities.ts';
import { createHooks } from '../../hosts/library/create-hooks.ts';
import type { Options } from '../../assembly/options.ts';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
afterAll(ground.remove);
const FIRES = fileURLToPath(new URL('../../hosts/library/fixtures/fires.mjs', import.meta.url));
let number = 0;

/** What it does in a hook, and the name of what then broke. */
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

const pluginThat = (body: string) =>
  `export default async () => ({
     'tool.execute.before': (input, output) => { if (output.args.command === 'boom') { ${body} } output.args.command += '!'; },
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
    limits: { budgetMs: 2000 },
    settings: { dialects: ['opencode'] },
    ...more,
  });
const shell = (command: string) =>
  ({
    name: 'tool.before',
    payload: { tool: 'shell', input: { command } },
    ids: { session: 's' },
  }) as const;

describe('a plugin in its own process', { timeout: 120_000 }, () => {
  test.each(Object.keys(HOSTILE) as Fault[])(
    'that %s is refused by name, and answers the next event again',
    async (fault) => {
      const [body, kind] = HOSTILE[fault];
      const hooks = await opened(pluginThat(body));
      expect(hooks.problems).toEqual([]);
      const outcome = await hooks.fire(shell('boom'));
      const failed = outcome.runs.flatMap(({ answer }) => answer?.failed?.kind ?? []);
      expect([outcome.verdict, outcome.reasons.map(({ broken }) => broken)]).toEqual(['deny', [true]]);
      expect(failed).toEqual([typeof kind === 'string' ? kind : expect.stringMatching(kind)]);
      await expect
        .poll(async () => (await hooks.fire(shell('ls'))).payload, { timeout: 20_000 })
        .toMatchObject({ input: { command: 'ls!' } });
      await hooks.close();
    },
  );

  test.each([
    ['exits', 'process.exit(0);', /ended by itself/],
    ['blocks for ever', 'for (;;);', /did not finish loading|no answer|within/],
    ['throws', "throw new Error('at load');", /at load/],
  ])('that %s while it is loaded is a problem with its file; the others work', async (_, line, why) => {
    const place = homeWith(`${line}\nexport default async () => ({});`);
    ground.write(`h${number}/home/.config/opencode/plugin/sound.js`, pluginThat(''));
    const hooks = await createHooks({
      host: { name: 'test', can: EVERYTHING },
      ...place,
      modules: { isolate: 'all' },
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
  });

  test('that dies in a tool or in a hook nobody waits for takes nobody with it', async () => {
    const hooks = await opened(
      `export default async () => ({
         event: () => process.exit(3),
         'chat.params': (input, output) => { output.temperature = 0; },
         tool: { die: { description: 'dies', args: {}, execute: () => process.exit(4) } },
       });`,
    );
    const scene = { session: 's', cwd: ground.root, signal: new AbortController().signal };
    await expect(hooks.offers.tools[0]!.execute({}, scene)).rejects.toThrow('exit code 4');
    await hooks.fire({ name: 'agent.idle', payload: {}, ids: { session: 's' } });
    await expect
      .poll(
        async () =>
          (await hooks.fire({ name: 'model.parameters', payload: { model: {} } as never })).payload[
            'temperature'
          ],
        { timeout: 20_000 },
      )
      .toBe(0);
    await hooks.close();
  });
});

describe('control: a plugin in the process of the host', () => {
  const sacrificed = (fault: Fault, isolate: 'all' | 'none') => {
    const body = HOSTILE[fault][0];
    const { home, cwd } = homeWith(
      `export default async () => ({ 'tool.execute.before': () => { ${body} } });`,
    );
    const { status, signal, stdout } = spawnSync(
      process.execPath,
      [FIRES, home, cwd, isolate, 'ls', '2000', 'close'],
      {
        timeout: isolate === 'none' ? 10_000 : 60_000, // one that is blocked never ends by itself
        killSignal: 'SIGKILL',
        encoding: 'utf8',
      },
    );
    return { isAlive: stdout.includes('alive: deny'), ended: signal ?? status };
  };
  test.each(['blocks the event loop', 'calls process.exit'] as const)(
    'that %s takes it down',
    (fault) => {
      expect(sacrificed(fault, 'none').isAlive).toBe(false);
      expect(sacrificed(fault, 'all')).toEqual({ isAlive: true, ended: 0 });
    },
    150_000,
  );
});
