import { homedir } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { MORE_TIME } from '../../../runners/module/load-module.mjs';
import { CALL, scratch } from './fixtures/scratch.ts';
import { loadHooks } from './load.ts';
import { resolvePath } from './resolve-path.ts';
import { HookRunner } from './runner.ts';

const ground = scratch();
afterAll(ground.remove);
const GUARD = `import type { HookAPI } from "@oh-my-pi/pi-coding-agent/hooks";
export default function hook(pi: HookAPI): void {
	pi.on("tool_call", async () => ({ block: true, reason: "blocked by policy" }));
}`;

describe('paths', () => {
  test.each([
    ['/a/b.ts', '/a/b.ts'],
    ['~/b.ts', '/home/me/b.ts'],
    ['~', '/home/me'],
    ['b.ts', '/place/here/b.ts'],
    ['../b.ts', '/place/b.ts'],
    ['~other/b.ts', '/place/here/~other/b.ts'],
  ])('the path %s resolves to %s', (path, absolute) => {
    expect(resolvePath(path, '/place/here', '/home/me')).toBe(absolute);
  });

  test("the default home folder is the user's", () => {
    expect(resolvePath('~/b.ts', '/')).toBe(`${homedir()}/b.ts`);
  });

  test('a loaded hook has its path as given and as resolved', async () => {
    const file = ground.write('guard.ts', GUARD);
    const { hooks, errors } = await loadHooks(['guard.ts', file], ground.root);
    expect(errors).toEqual([]);
    expect(hooks.map(({ path, resolvedPath }) => [path, resolvedPath])).toEqual([
      ['guard.ts', file],
      [file, file],
    ]);
  });
});

describe('factories', () => {
  test('an async factory is awaited: what it registers late counts', async () => {
    const file = ground.write(
      'late.ts',
      `export default async (pi) => {
        await new Promise((go) => setTimeout(go, 20));
        pi.on('tool_call', () => ({ block: true, reason: 'late' }));
      };`,
    );
    const { hooks } = await ground.load(file);
    const runner = new HookRunner(hooks, { cwd: ground.root });
    expect(await runner.emitToolCall(CALL)).toEqual({ block: true, reason: 'late' });
  });

  test('plain JavaScript and CommonJS load too', async () => {
    const esm = ground.write('a.mjs', 'export default (pi) => pi.on("agent_start", () => {});');
    const cjs = ground.write('a.cjs', 'module.exports = (pi) => pi.on("agent_start", () => {});');
    const { hooks, errors } = await ground.load(esm, cjs);
    expect(errors).toEqual([]);
    expect(hooks.map(({ handlers }) => [...handlers.keys()])).toEqual([['agent_start'], ['agent_start']]);
  });

  test('one module is fully loaded before the next', async () => {
    const slow = ground.write(
      'slow.mjs',
      `globalThis.__order = ['slow begins'];
       export default async (pi) => { await new Promise((go) => setTimeout(go, 20)); globalThis.__order.push('slow ends'); };`,
    );
    const quick = ground.write(
      'quick.mjs',
      `globalThis.__order.push('quick begins'); export default () => {};`,
    );
    await ground.load(slow, quick);
    expect((globalThis as { __order?: string[] }).__order).toEqual([
      'slow begins',
      'slow ends',
      'quick begins',
    ]);
  });

  test.each(['@oh-my-pi/pi-coding-agent/hooks', '@oh-my-pi/pi-coding-agent/extensibility/hooks', 'anyhook'])(
    'a value import of %s resolves although nothing is installed',
    async (name) => {
      const file = ground.write(
        'values.ts',
        `import * as ours from '${name}';
         export default (pi) => pi.on('session_start', () => { globalThis.__ours = Object.keys(ours); });`,
      );
      const { hooks, errors } = await ground.load(file);
      expect(errors).toEqual([]);
      await new HookRunner(hooks, { cwd: ground.root }).emit({ type: 'session_start' });
      expect((globalThis as { __ours?: string[] }).__ours).toContain(
        name === 'anyhook' ? 'defineHook' : 'HookRunner',
      );
    },
  );
});

test('pi.zod and pi.supportedEvents are available to modules', async () => {
  const file = ground.write(
    'schema.ts',
    `export default (pi) => {
      const shape = pi.zod.object({ command: pi.zod.string() });
      if (pi.supportedEvents.includes('tool_call'))
        pi.on('tool_call', ({ input }) => shape.safeParse(input).success ? undefined : { block: true, reason: 'shape' });
    };`,
  );
  const { hooks, errors } = await ground.load(file);
  expect(errors).toEqual([]);
  const runner = new HookRunner(hooks, { cwd: '/' });
  expect(await runner.emitToolCall(CALL)).toBeUndefined();
  expect(await runner.emitToolCall({ ...CALL, input: {} })).toEqual({ block: true, reason: 'shape' });
});

describe('loading errors', () => {
  test('a loading error is recorded by path, never thrown, and the rest loads', async () => {
    const good = ground.write('good.ts', GUARD);
    const bad = {
      'no-default.ts': 'export const hook = 1;',
      'object.ts': 'export default {};',
      'throws.ts': 'throw new Error("at import");',
      'factory-throws.ts':
        'export default (pi) => { pi.on("tool_call", () => {}); throw new Error("in the factory"); };',
      'factory-rejects.ts': 'export default async () => { throw "a word"; };',
      'syntax.ts': 'export default (pi => {',
      'wrong-handler.ts': 'export default (pi) => pi.on("tool_call", "no function");',
      'script.sh': '#!/bin/sh\nexit 1',
    };
    const files = Object.entries(bad).map(([name, text]) => ground.write(name, text));
    const { hooks, errors } = await ground.load(...files, 'missing.ts', '.', good);
    expect(hooks.map(({ path }) => path)).toEqual([good]);
    expect(errors.map(({ path }) => path)).toEqual([...files, 'missing.ts', '.']);
    expect(errors.map(({ error }) => error)).toEqual([
      expect.stringContaining('default function'),
      expect.stringContaining('default function'),
      expect.stringContaining('at import'),
      'Failed to load hook: in the factory',
      'Failed to load hook: a word',
      expect.stringMatching(/line 1:\d+/),
      expect.stringContaining('pi.on("tool_call", …) needs a function, not string'),
      expect.stringContaining('not a JavaScript or TypeScript module'),
      expect.stringContaining('cannot be read'),
      expect.stringContaining('not a JavaScript or TypeScript module'),
    ]);
  });

  test('a factory that never ends is abandoned', async () => {
    const file = ground.write('hangs.ts', 'export default () => new Promise(() => {});');
    const { errors } = await loadHooks([file], ground.root, { timeoutMs: 100 });
    expect(errors).toEqual([
      {
        path: file,
        error: `Failed to load hook: the default function did not answer within 100 ms. ${MORE_TIME}`,
      },
    ]);
  });

  test('a non-string path is an error like any other', async () => {
    const good = ground.write('good.ts', GUARD);
    const { hooks, errors } = await loadHooks([7 as unknown as string, '', good], ground.root);
    expect([hooks.length, errors]).toEqual([
      1,
      [
        { path: '7', error: 'A hook is named by the path of its module.' },
        { path: '', error: 'A hook is named by the path of its module.' },
      ],
    ]);
  });

  test('an empty list gives an empty result', async () => {
    expect(await loadHooks([], ground.root)).toEqual({ hooks: [], errors: [], warnings: [] });
  });
});

describe('loading warnings', () => {
  test('an event that never fires is reported with the nearest known one', async () => {
    const file = ground.write(
      'odd.ts',
      `type Any = never;
export default (pi) => {
  pi.on('tool_cal', () => {});
  pi.on('tool_call', () => {});
    pi.on('user_bash', () => {});
};`,
    );
    const { hooks, errors, warnings } = await ground.load(file);
    expect([hooks.length, errors]).toEqual([1, []]);
    expect(warnings).toEqual([
      {
        path: file,
        error: 'listens to "tool_cal", which is never fired; did you mean "tool_call"?',
        line: 3,
        column: 10,
      },
      {
        path: file,
        error: 'listens to "user_bash", an extension event that hook modules do not receive',
        line: 5,
        column: 12,
      },
    ]);
  });

  test('an extension loads as far as hooks support it, and the rest is reported by name', async () => {
    const file = ground.write(
      'extension.ts',
      `export default function (pi) {
        pi.registerTool({ name: 'greet' });
        pi.registerShortcut('ctrl+x', {});
        pi.setLabel('here');
        pi.setLabel('there');
        pi.on('tool_call', () => ({ block: true, reason: 'still guards' }));
      }`,
    );
    const { hooks, warnings } = await ground.load(file);
    expect(await new HookRunner(hooks, { cwd: '/' }).emitToolCall(CALL)).toEqual({
      block: true,
      reason: 'still guards',
    });
    expect(warnings.map(({ error }) => error)).toEqual([
      "pi.registerTool needs a name and a function 'execute'; the tool is left out",
      'registers the shortcut ctrl+x, but modules get no keyboard input here',
      'uses pi.setLabel, which is not available here; the call does nothing',
    ]);
  });
});
