/** Extensions, which register more than hooks and import packages of their agent that are not installed. */

import { afterAll, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';
import { load } from './loader.ts';

const ground = scratch();
afterAll(() => ground.remove());
const loaded = async (file: string) =>
  await load(
    { file, shown: file, layer: 'session', asker: { file, line: 1 } },
    {
      cwd: ground.root,
      home: ground.root,
      env: {},
      services: {},
      deadlineMs: 30_000,
      kept: `${ground.root}/kept`,
    },
  );
const scene = { session: 's', call: 'c1', cwd: ground.root, signal: new AbortController().signal };

test('a tool with any kind of schema becomes an offer and validates its arguments', async () => {
  const file = ground.write(
    'tools.ts',
    `import { type ExtensionAPI, formatSize } from '@earendil-works/pi-coding-agent';
     import { StringEnum } from '@mariozechner/pi-ai';
     import { Type } from '@sinclair/typebox';
     export default function (pi: ExtensionAPI) {
       const execute = async (id, params, signal, onUpdate, ctx) =>
         ({ content: [{ type: 'text', text: JSON.stringify([id, params, ctx.cwd]) }], details: { size: formatSize(2048) } });
       pi.registerTool({ name: 'box', description: 'd', parameters: Type.Object({ n: Type.Number(), how: Type.Optional(StringEnum(['a', 'b'])) }), execute });
       pi.registerTool({ name: 'zod', label: 'Z', parameters: pi.zod.z.object({ n: pi.zod.z.number().default(7) }), execute });
       pi.registerTool({ name: 'plain', parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, execute });
     }`,
  );
  const { offers, problems } = await loaded(file);
  expect(problems).toEqual([]);
  expect(
    offers.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  ).toEqual([
    {
      name: 'box',
      description: 'd',
      parameters: {
        type: 'object',
        properties: { n: { type: 'number' }, how: { type: 'string', enum: ['a', 'b'] } },
        required: ['n'],
      },
    },
    {
      name: 'zod',
      description: 'Z',
      parameters: { type: 'object', properties: { n: { type: 'number', default: 7 } } },
    },
    {
      name: 'plain',
      description: 'plain',
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    },
  ]);
  const [box, zod, plain] = offers.tools;
  expect(await box!.execute({ n: 1 }, scene)).toEqual({
    output: JSON.stringify(['c1', { n: 1 }, ground.root]),
    metadata: { size: '2.0KB' },
  });
  expect((await zod!.execute({}, scene)).output).toBe(JSON.stringify(['c1', { n: 7 }, ground.root]));
  await expect(box!.execute({ n: 'x' }, scene)).rejects.toThrow(
    /The box tool was called with invalid arguments: n/,
  );
  await expect(plain!.execute({}, scene)).rejects.toThrow(/invalid arguments/);
});

test('a package is the files that it lists; flags have their defaults, and a handler can be removed', async () => {
  ground.write('package/package.json', JSON.stringify({ pi: { extensions: ['./src', 'more.mjs'] } }));
  ground.write(
    'package/src/index.ts',
    `export default (pi) => {
       pi.registerFlag('strict', { type: 'boolean', default: true });
       const off = pi.on('turn_end', () => {});
       off();
       pi.registerCommand('flag', { description: String(pi.getFlag('strict')), handler() {} });
     };`,
  );
  ground.write('package/more.mjs', `export default (pi) => { pi.on('turn_start', () => {}); };`);
  const { hooks, errors } = await ground.load(`${ground.root}/package`);
  expect(errors).toEqual([]);
  expect(
    hooks.map(({ handlers, commands }) => [[...handlers.keys()], commands.get('flag')?.description]),
  ).toEqual([
    [[], 'true'],
    [['turn_start'], undefined],
  ]);
});

test('calling a missing member throws with its name, and a guard that needs it refuses', async () => {
  const file = ground.write(
    'absent.ts',
    `import { complete } from '@earendil-works/pi-ai';
     import { CustomEditor } from '@earendil-works/pi-coding-agent';
     class Mine extends CustomEditor {}
     export default (pi) => { pi.on('tool_call', async () => { await complete({}); }); void Mine; };`,
  );
  const { hooks, problems } = await loaded(file);
  expect(problems).toEqual([]);
  const [hook] = hooks;
  const call = hook!.run.kind === 'call' ? hook!.run.fn : undefined;
  const event = { type: 'tool_call', toolName: 'bash', toolCallId: 'c', input: {} };
  await expect(
    Reflect.apply(call as (...args: unknown[]) => Promise<unknown>, { signal: scene.signal }, [event]),
  ).rejects.toThrow('complete of @earendil-works/pi-ai is not available');
});
