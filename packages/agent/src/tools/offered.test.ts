import type { OfferedTool } from 'anyhook';
import { expect, test } from 'vitest';
import { scene } from './fixtures/scene.ts';
import { offeredTools } from './offered.ts';

const offered = (name: string, file: string, more: Partial<OfferedTool> = {}): OfferedTool => ({
  name,
  description: 'd',
  parameters: { type: 'object' },
  origin: { file, line: 3, layer: 'user' },
  execute: async (input) => ({ output: `${file} ${JSON.stringify(input)}`, title: 't' }),
  ...more,
});

test('the first tool with a name keeps it, and later ones are reported', () => {
  const { tools, notices, replaced } = offeredTools(
    [offered('read', 'a.ts'), offered('mine', 'a.ts'), offered('mine', 'b.ts')],
    ['read'],
  );
  expect(tools.map(({ name }) => name)).toEqual(['mine']);
  expect(notices).toEqual([
    "The tool 'read' of a.ts:3 is not used: the agent itself has one of that name.",
    "The tool 'mine' of b.ts:3 is not used: a.ts:3 has one of that name.",
  ]);
  expect(replaced).toEqual([]);
});

test('a tool replaces a built-in one where the dialect allows it, and only the first does', async () => {
  const { tools, notices, replaced } = offeredTools(
    [offered('read', 'a.ts'), offered('read', 'b.ts')],
    ['read'],
    () => true,
  );
  expect(replaced).toEqual(['read']);
  expect(notices).toEqual(["The tool 'read' of b.ts:3 is not used: a.ts:3 has one of that name."]);
  expect(await tools[0]?.execute({ x: 1 }, scene())).toEqual({ output: 'a.ts {"x":1}', title: 't' });
});

test('the model reads why a module rejected the input', async () => {
  const refusing = offered('mine', 'a.ts', { execute: () => Promise.reject(new Error('x is no number')) });
  const [tool] = offeredTools([refusing], []).tools;
  expect(await tool?.execute({}, scene())).toEqual({ output: 'x is no number', isError: true });
});
