/** Commands from OpenCode settings, and shell commands in prompts. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from 'anyhook';
import { expect, test } from 'vitest';
import { stage, transcript } from './fixtures/stage.ts';

const GUARD = `export const P = async () => ({
  'tool.execute.before': async (input, output) => {
    if (output.args.command.includes('touch')) throw new Error('nothing is touched here');
    if (output.args.command.includes('whoami')) output.args.command = 'echo somebody';
  },
});`;

test('the output of a command in a prompt replaces it, and the command is judged as a shell call', async () => {
  const ground = stage();
  ground.write('home/.config/opencode/plugin/guard.ts', GUARD);
  ground.write(
    'home/.config/opencode/command/look.md',
    'There is !`echo $1`, twice: !`echo $1`. I am !`whoami`; !`touch gone`.',
  );
  const agent = await ground.open([{ text: 'seen' }], { settings: { markChanges: false } });
  expect(await agent.runCommand('look', 'one')).toBe(true);
  expect(transcript(agent)).toEqual([
    'user: There is one, twice: one. I am somebody; shell was blocked: nothing is touched here..',
    'assistant: seen',
  ]);
  expect(existsSync(join(ground.cwd, 'gone'))).toBe(false);
  expect(ground.seen.filter(({ kind }) => kind === 'tool-ended')).toHaveLength(3);
});

test('a command in a prompt does not run if the user refuses, and text from a hook or a result is not executed', async () => {
  const ground = stage();
  ground.write(
    'home/.config/opencode/plugin/more.ts',
    `export const P = async () => ({
      'command.execute.before': async (input, output) => { output.parts[0].text += ' !\`touch gone\`'; },
    });`,
  );
  ground.write('project/.opencode/command/look.md', "!`printf '!\\140touch gone\\140'`");
  const agent = await ground.open([{ text: 'seen' }, { text: 'not seen' }]);
  await agent.runCommand('look', '');
  expect(transcript(agent)[0]).toBe('user: !`touch gone` !`touch gone`');
  const careful = await ground.open([{ text: 'seen' }], { permission: 'ask' });
  await careful.runCommand('look', '');
  expect(transcript(careful)[0]).toMatch(/^user: shell was blocked: /);
  expect(existsSync(join(ground.cwd, 'gone'))).toBe(false);
});

test('commands of opencode.json are offered and run, hooks see them first, and user commands win', async () => {
  const ground = stage();
  ground.write(
    'project/opencode.jsonc',
    `{ "command": { // Commands by name.
      "test": { "template": "the project's" }, "there": { "template": "Go to $ARGUMENTS", "description": "goes" },
      "taken": { "template": "x" }, "broken": 5 } }`,
  );
  ground.write(
    'home/.config/opencode/opencode.json',
    '{ "command": { "test": { "template": "Test all." } } }',
  );
  ground.write(
    'home/.config/opencode/plugin/takes.ts',
    'export const P = async () => ({ config: async (config) => { delete config.command.taken; } });',
  );
  const agent = await ground.open([{ text: 'tested' }, { text: 'gone' }]);
  expect(agent.commands()).toEqual([
    { name: 'test', description: '' },
    { name: 'there', description: 'goes' },
  ]);
  await agent.runCommand('test', '');
  await agent.runCommand('there', 'Rome');
  expect(await agent.runCommand('taken', '')).toBe(false);
  expect(transcript(agent)).toEqual([
    'user: Test all.',
    'assistant: tested',
    'user: Go to Rome',
    'assistant: gone',
  ]);
});

test('a command in a prompt that a hook wants to ask about does not run and reports why', async () => {
  const ground = stage();
  ground.write('home/.config/opencode/command/look.md', 'Look.');
  const hooks = { 'command.before': () => ask('sure?') };
  const agent = await ground.open([{ text: 'not seen' }], { hooks: { hooks } });
  await agent.runCommand('look', '');
  expect(transcript(agent)).toEqual([]);
  expect(JSON.stringify(ground.seen)).toContain('sure?');
});
