import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { startModelServer } from 'anyhook/testing';
import { expect, test } from 'vitest';
import { readScript } from './script.ts';
import { scriptedModel } from './scripted.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/scripted-model.md'), 'utf8');
const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((found) => found[1]!);
const any = jsonSchema<object>({ type: 'object' });

async function saidWhen(result: string): Promise<readonly string[]> {
  const called: string[] = [];
  const answering = (name: string, output: string) =>
    tool({
      inputSchema: any,
      execute: async (input) => {
        called.push(`${name} ${JSON.stringify(input)}`);
        return output;
      },
    });
  const tools = { read: answering('read', result), shell: answering('shell', '') };
  const model = scriptedModel(readScript(blocks[0]!, 'play.yaml'));
  const { steps } = await generateText({ model, prompt: 'Clean up', tools, stopWhen: stepCountIs(9) });
  return [...called, ...steps.map(({ text }) => text)];
}

test('the example on the scripted model page plays in both ways', async () => {
  expect(blocks).toHaveLength(2);
  expect(await saidWhen('the notes')).toEqual([
    'read {"path":"notes.txt"}',
    'shell {"command":"rm -rf build"}',
    'I look at the file first.',
    'Now I remove the folder.',
    'Done.',
  ]);
  expect(await saidWhen('not allowed here')).toEqual([
    'read {"path":"notes.txt"}',
    'I look at the file first.',
    'Then I leave it.',
  ]);
});

test('the tracks on the scripted model page are a valid script, and its server starts', async () => {
  const { model, contextTokens, tracks } = readScript(blocks[1]!, 'tracks.yaml');
  expect([model, contextTokens, Object.keys(tracks)]).toEqual([
    'demo',
    8000,
    ['main', 'summary', 'judge', 'task', 'task:review'],
  ]);
  const server = await startModelServer({ script: [{ shell: 'touch ran.txt' }, { text: 'done' }] });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await server.close();
});

test('every key of a step is on the scripted model page', () => {
  const keys = ['text', 'thinking', 'calls', 'error', 'cut', 'usage', 'when', 'repeat', 'delayMs', 'pieceMs'];
  for (const key of keys) expect(page).toContain(`| \`${key}\``);
});
