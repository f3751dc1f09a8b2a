/** Modules that leave errors and timers behind in a long-running proxy: calls are still judged and answered. */

import { describe, expect, test, vi } from 'vitest';
import { connected, ground, guard, PATIENT, program, proxied, textOf } from './ground.ts';

vi.setConfig({ testTimeout: 180_000 }); // several processes each, on whatever machine

const STRAYS = {
  'forgets a rejected fetch': "fetch('http://127.0.0.1:9/x');",
  'throws in a timer': "setTimeout(() => { throw new Error('late'); }, 0);",
  'emits an error nobody listens to':
    "import('node:events').then(({ EventEmitter }) => new EventEmitter().emit('error', new Error('emitted')));",
  'ends its process soon': 'setTimeout(() => process.exit(1), 0);',
} as const;
const REFUSES = guard(
  'guard',
  `export default defineHook({
    on: 'tool.before',
    run: (event) => (event.payload.input.file === 'no.txt' ? { kind: 'deny', reason: 'not this file' } : undefined),
  });`,
);
const MODULES = {
  'oh-my-pi': (body: string) => ({
    '.omp/hooks/pre/stray.mjs': `export default (pi) => { pi.on('tool_call', () => { ${body} }); };`,
  }),
  OpenCode: (body: string) => ({
    '.config/opencode/plugin/stray.js': `export const P = async () => ({ 'tool.execute.before': async () => { ${body} } });`,
  }),
  anyhook: (body: string) =>
    guard('stray', `export default defineHook({ on: 'tool.before', run() { ${body} } });`),
} as const;

describe.each(Object.entries(MODULES))('a module of %s', (whose, module) => {
  // What runs in the proxy's own process can end it; the client then hears that its server is gone, and nothing has run.
  const strays = Object.entries(STRAYS).filter(([name]) => whose !== 'anyhook' || !name.startsWith('ends'));

  test.each(strays)(
    'with a module that %s every call is answered, and another guard still refuses',
    async (_, body) => {
      const at = ground({ ...module(body), ...REFUSES });
      const { client } = await connected(proxied(at, ['--name', 'full', '--', ...program()]));
      const call = async (file: string) =>
        textOf(await client.callTool({ name: 'touch', arguments: { file } }, undefined, PATIENT));
      const refusal = expect.stringContaining('not this file');
      expect([await call('no.txt'), await call('yes.txt')]).toEqual([refusal, 'touched yes.txt']);
      expect([await call('no.txt'), await call('more.txt')]).toEqual([refusal, 'touched more.txt']);
      expect(['no.txt', 'yes.txt', 'more.txt'].filter((name) => at.has(name))).toEqual([
        'yes.txt',
        'more.txt',
      ]);
    },
  );
});

test('a module of anyhook that exits the proxy causes a refusal: the call does not run', async () => {
  const at = ground(MODULES.anyhook('process.exit(0);'));
  const { client } = await connected(proxied(at, ['--', ...program()]));
  await expect(
    client.callTool({ name: 'touch', arguments: { file: 'no.txt' } }, undefined, PATIENT),
  ).rejects.toThrow();
  expect(at.has('no.txt')).toBe(false);
});
