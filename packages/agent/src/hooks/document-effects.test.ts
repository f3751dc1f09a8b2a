/** Effects of hooks from the five documents in a session of this agent: calls, prompts, stops and edits. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Stage, stage, transcript } from '../loop/fixtures/stage.ts';

const call = (command: string) => ({ calls: [{ tool: 'shell', input: { command } }] });
const END = { text: 'Done.' };
const until = (file: string) => expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);

describe('Opta hooks in this agent', () => {
  const hooks = (ground: Stage, ...list: readonly object[]) =>
    ground.write('home/.config/opta/config.json', JSON.stringify({ hooks: list }));

  test('a non-zero exit of an Opta tool.pre hook blocks the tool, the model reads stderr, and the loop continues', async () => {
    const ground = stage();
    const log = join(ground.home, 'log');
    hooks(
      ground,
      { event: 'session.start', command: `echo start >> ${log}` },
      { event: 'tool.pre', command: `echo "pre $OPTA_TOOL_NAME" >> ${log}` },
      {
        event: 'tool.pre',
        command: 'case "$OPTA_TOOL_ARGS" in *blocked*) echo "not that file" >&2; exit 1;; esac',
      },
      { event: 'tool.post', command: `echo "post $OPTA_TOOL_NAME" >> ${log}` },
      { event: 'session.end', command: `echo end >> ${log}` },
    );
    const agent = await ground.open([call('touch blocked'), call('touch fine'), END]);
    await agent.prompt('go');
    const results = transcript(agent).filter((line) => line.startsWith('shell'));
    await agent.close();
    expect(results[0]).toMatch(/^shell!: shell was blocked: not that file/);
    expect(results).toHaveLength(2);
    expect(['blocked', 'fine'].map((name) => existsSync(join(ground.cwd, name)))).toEqual([false, true]);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
      'start',
      'pre run_command',
      'pre run_command',
      'post run_command',
      'end',
    ]);
  });

  test('an Opta prompt.pre hook refuses a prompt, and the model never reads it', async () => {
    const ground = stage();
    hooks(ground, { event: 'prompt.pre', command: 'echo "no passwords" >&2; exit 1' });
    const agent = await ground.open([{ text: 'never said' }]);
    await agent.prompt('my password is hunter2');
    expect(transcript(agent)).toEqual([]);
  });

  test('an Opta stop hook resumes the agent with its reason until the hook is satisfied', async () => {
    const ground = stage();
    hooks(ground, { event: 'stop', command: 'test -e fixed || { echo "tests are red" >&2; exit 1; }' });
    const agent = await ground.open([{ text: 'I am done.' }, call('touch fixed'), END]);
    await agent.prompt('go');
    const lines = transcript(agent);
    expect(lines.filter((line) => line.includes('tests are red'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('assistant: Done.');
    expect(existsSync(join(ground.cwd, 'fixed'))).toBe(true);
  });
});

describe('Goose hooks in this agent', () => {
  const hooks = (ground: Stage, events: string, command: string) => {
    const groups = [{ hooks: [{ type: 'command', command }] }];
    const byEvent = Object.fromEntries(events.split(' ').map((event) => [event, groups]));
    ground.write('home/.config/goose/hooks.json', JSON.stringify({ hooks: byEvent }));
  };

  test('exit 2 on UserPromptSubmit of Goose blocks the prompt, and the model never reads it', async () => {
    const ground = stage();
    hooks(ground, 'UserPromptSubmit', 'grep -q hunter2 && { echo "a password" >&2; exit 2; }; exit 0');
    const agent = await ground.open([{ text: 'Hello.' }]);
    await agent.prompt('my password is hunter2');
    expect(transcript(agent)).toEqual([]);
    await agent.prompt('hi');
    expect(transcript(agent).at(-1)).toBe('assistant: Hello.');
  });

  test('exit 2 on Stop of Goose resumes the agent with stderr as the reason', async () => {
    const ground = stage();
    hooks(ground, 'Stop', 'test -e fixed || { echo "tests are red" >&2; exit 2; }');
    const agent = await ground.open([{ text: 'I am done.' }, call('touch fixed'), END]);
    await agent.prompt('go');
    expect(transcript(agent).filter((line) => line.includes('tests are red'))).toHaveLength(1);
    expect(existsSync(join(ground.cwd, 'fixed'))).toBe(true);
  });

  test.each(['exit 1', 'kill -9 $$', 'no-such-program', 'printf "\\377\\376"'])(
    'a Goose hook that fails with %j lets the prompt and the call pass, and the session continues',
    async (command) => {
      const ground = stage();
      hooks(ground, 'SessionStart UserPromptSubmit PreToolUse PostToolUse Stop', command);
      const agent = await ground.open([call('touch made'), END]);
      await agent.prompt('go');
      expect([transcript(agent).at(-1), existsSync(join(ground.cwd, 'made'))]).toEqual([
        'assistant: Done.',
        true,
      ]);
    },
  );
});

describe('OpenCode configuration hooks and plugins in this agent', () => {
  test('OpenCode file_edited runs its commands after an edit of a matching file, and session_completed when the agent is done', async () => {
    const ground = stage();
    const log = join(ground.home, 'log');
    const append = (word: string) => ['sh', '-c', `echo "${word} $1" >> ${log}`, 'sh'];
    ground.write(
      'home/.config/opencode/opencode.json',
      JSON.stringify({
        experimental: {
          hook: {
            file_edited: {
              '*.ts': [{ command: [...append('first'), '{file}'] }, { command: append('second') }],
            },
            session_completed: [{ command: append('completed') }],
          },
        },
      }),
    );
    const write = (path: string) => ({ tool: 'write', input: { path, content: 'x' } });
    const agent = await ground.open([{ calls: [write('a.md'), write('b.ts')] }, END]);
    await agent.prompt('go');
    await until(log);
    await expect.poll(() => readFileSync(log, 'utf8').split('\n').length, { timeout: 20_000 }).toBe(4);
    expect(
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([`first ${join(ground.cwd, 'b.ts')}`, 'second', 'completed']);
  });

  test('OpenCode chat.message changes the message that the model reads', async () => {
    const ground = stage();
    ground.write(
      'home/.config/opencode/plugin/p.js',
      `export const P = async () => ({ 'chat.message': async (_, { parts }) => { for (const part of parts) part.text = part.text.replace('hunter2', '***'); } });\n`,
    );
    const agent = await ground.open([END]);
    await agent.prompt('my password is hunter2');
    expect(transcript(agent)).toEqual(['user: my password is ***', 'assistant: Done.']);
  });
});
