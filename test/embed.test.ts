/** Runs the examples for agent authors unmodified, with the built package, a scripted model and user hook files. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answer as withSdk } from '../examples/embed/ai-sdk.ts';
import { answer as byHand, type Answer, type Message } from '../examples/embed/hand-written-loop.ts';

const ROOT = join(import.meta.dirname, '..');

let home: string;
let cwd: string;
const write = (path: string, text: string) => {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'anyhook-embed-'));
  cwd = join(home, 'project');
  mkdirSync(cwd);
  // Settings of Claude Code: a guard that blocks, and a stop hook that resumes the agent once.
  write(
    '.claude/settings.json',
    JSON.stringify({
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              {
                type: 'command',
                command: `grep -q "rm -rf" && { echo "no recursive rm" >&2; exit 2; }; exit 0`,
              },
            ],
          },
        ],
        Stop: [
          {
            hooks: [
              {
                type: 'command',
                command: `grep -q '"stop_hook_active":true' || { echo "run the tests" >&2; exit 2; }`,
              },
            ],
          },
        ],
      },
    }),
  );
  // An OpenCode plugin that changes the system prompt, a parameter, a call and the answer of the model.
  write(
    '.config/opencode/plugin/house.js',
    `export const House = async () => ({
  'experimental.chat.system.transform': async (input, output) => void output.system.push('Be brief.'),
  'chat.params': async (input, output) => void (output.temperature = 0),
  'tool.execute.before': async (input, output) => {
    if (output.args.command === 'ls') output.args.command = 'ls -la';
  },
  'experimental.text.complete': async (input, output) => void (output.text = output.text.replace('sk-123', '[key]')),
});\n`,
  );
  // An anyhook hook that adds context to every result.
  write(
    '.config/anyhook/hooks/note.ts',
    `import { context, defineHook } from 'anyhook';
export default defineHook({ on: 'tool.after', run: () => context('the disk is nearly full') });\n`,
  );
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const PLAY: readonly Answer[] = [
  { text: 'I look.', calls: [{ id: 'call-1', tool: 'shell', input: { command: 'ls' } }] },
  { text: 'I tidy up.', calls: [{ id: 'call-2', tool: 'shell', input: { command: 'rm -rf build' } }] },
  { text: 'The key is sk-123.' },
  { text: 'Tested.' },
];

describe('examples/embed', () => {
  test('ai-sdk.ts: hooks act on the tools and on the model', async () => {
    let at = 0;
    const ran: string[] = [];
    const model = new MockLanguageModelV3({
      doGenerate: async () => {
        const { text, calls = [] } = PLAY[at++]!;
        const said = { type: 'text' as const, text };
        const made = calls.map(({ id, tool: toolName, input }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName,
          input: JSON.stringify(input),
        }));
        const unified = made.length > 0 ? ('tool-calls' as const) : ('stop' as const);
        return { content: [said, ...made], finishReason: { unified, raw: undefined }, usage, warnings: [] };
      },
    });
    const tools = {
      shell: tool({
        inputSchema: z.object({ command: z.string() }),
        execute: async ({ command }) => {
          ran.push(command);
          return `ran ${command}`;
        },
      }),
    };
    expect(await withSdk(model, tools, 'go', { home, cwd })).toBe('The key is [key].');
    expect(ran).toEqual(['ls -la']);
    const last = model.doGenerateCalls.at(-1)!;
    expect(last.temperature).toBe(0);
    expect(
      last.prompt.map(({ role, content }) =>
        typeof content === 'string' ? [role, content] : [role, ...content.map(textOf)],
      ),
    ).toEqual([
      ['system', 'Be brief.'],
      ['user', 'go'],
      ['assistant', 'I look.', 'shell'],
      ['tool', 'ran ls -la'],
      ['user', '<context>\nthe disk is nearly full\n</context>'],
      ['assistant', 'I tidy up.', 'shell'],
      ['tool', 'shell was blocked: no recursive rm'],
    ]);
  });

  const playedByHand = async (where: string, project: string) => {
    let at = 0;
    const ran: unknown[] = [];
    let seen: readonly Message[] = [];
    const model = async (messages: readonly Message[]) => {
      seen = [...messages];
      return PLAY[at++]!;
    };
    const shell = async ({ command }: Record<string, unknown>) => {
      ran.push(command);
      return `ran ${String(command)}`;
    };
    const text = await byHand(model, { shell }, 'go', { home: where, cwd: project });
    return { text, ran, seen: seen.map((message) => `${message.role}: ${message.text}`) };
  };

  test('hand-written-loop.ts: hooks act on the calls and on the stop', async () => {
    expect(await playedByHand(home, cwd)).toEqual({
      text: 'Tested.',
      ran: ['ls -la'],
      seen: [
        'user: go',
        'assistant: I look.',
        'tool: ran ls -la',
        'user: the disk is nearly full',
        'assistant: I tidy up.',
        'tool: shell was blocked: no recursive rm',
        'assistant: The key is sk-123.',
        'user: run the tests',
      ],
    });
  });

  test('the example loop without hook files runs what the model wrote', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'embed-nobody-'));
    const { text, ran } = await playedByHand(join(elsewhere, 'home'), join(elsewhere, 'project'));
    rmSync(elsewhere, { recursive: true });
    expect({ text, ran }).toEqual({ text: 'The key is sk-123.', ran: ['ls', 'rm -rf build'] });
  });
});

test('the first snippet of the README works when it is pasted unmodified', () => {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [settings] = /```jsonc\n\/\/ ~\/(\S+)\n[^]*?```/.exec(text)!;
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-readme-'));
  const run = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', /```ts\n([^]*?)```/.exec(text)![1]!], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: folder },
      encoding: 'utf8',
    });
  try {
    const file = join(folder, /~\/(\S+)/.exec(settings)![1]!);
    expect(run()).toMatchObject({ status: 0, stdout: "run { command: 'cd build && rm -rf cache' }\n" });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, settings.replace('```jsonc\n', '').replace('```', ''));
    expect(run()).toMatchObject({ status: 0, stderr: '', stdout: 'for the model: Use the trash.\n' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const textOf = (part: object): unknown => {
  const { text, toolName, output } = part as {
    text?: string;
    toolName?: string;
    output?: { value: unknown };
  };
  return text ?? output?.value ?? toolName;
};
