/** Runs hooks of the five seed dialects, Claude Code and anyhook on the same events of one session. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { somebody, stage, transcript } from '../loop/fixtures/stage.ts';

/** Hooks may rely on Node only. Each of these derives its answer from its input. */
const script = (body: string) =>
  `const input = JSON.parse(require('fs').readFileSync(0, 'utf8') || '{}');\n${body}\n`;

function house() {
  const ground = stage();
  const json = (path: string, value: unknown) => ground.write(path, JSON.stringify(value));
  const command = (name: string, body: string) => `node ${ground.write(`home/bin/${name}.cjs`, body)}`;

  json('home/.config/goose/hooks.json', {
    hooks: {
      PreToolUse: [
        {
          matcher: 'developer__shell',
          hooks: [
            {
              type: 'command',
              command: command(
                'goose',
                script(
                  `console.log(JSON.stringify({ additionalContext: 'goose saw ' + input.tool_input.command }));`,
                ),
              ),
            },
          ],
        },
      ],
      Stop: [
        {
          hooks: [
            {
              type: 'command',
              command: command(
                'goose-stop',
                script(
                  `if (!input.stop_hook_active) { console.error('goose: one more look'); process.exit(2); }`,
                ),
              ),
            },
          ],
        },
      ],
    },
  });
  json('home/.config/opta/config.json', {
    hooks: [
      {
        event: 'tool.pre',
        matcher: 'run_command',
        command: command(
          'opta',
          `if (/rm -rf/.test(process.env.OPTA_TOOL_ARGS)) { console.error('opta: no recursive rm'); process.exit(1); }`,
        ),
      },
    ],
  });
  json('home/.claude/settings.json', {
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            {
              type: 'command',
              command: command(
                'claude',
                script(
                  `console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: 'claude: look at ' + input.tool_input.command } }));`,
                ),
              ),
            },
          ],
        },
      ],
    },
  });
  ground.write(
    'home/.config/opencode/plugin/capitals.js',
    `export const Capitals = async () => ({
  'tool.execute.before': async (input, output) => {
    if (input.tool === 'bash') output.args.command = output.args.command.replace('one', 'ONE');
  },
});\n`,
  );
  ground.write(
    'home/.omp/agent/hooks/post/redact.ts',
    `export default (pi: any) => {
  pi.on('tool_call', async (event: any) => ({ input: { ...event.input, command: event.input.command.replace('two', 'TWO') } }));
  pi.on('tool_result', async (event: any) => ({
    content: event.content.map((part: any) => ({ ...part, text: part.text.replaceAll(/sk-\\w+/g, '[redacted]') })),
  }));
};\n`,
  );
  ground.write(
    'home/.config/anyhook/hooks/own.ts',
    `import { context, defineHook } from 'anyhook';
export const own = defineHook({
  on: 'tool.after',
  name: 'own-note',
  run: ({ payload }) => context('anyhook read ' + String((payload.content[0] as { text: string }).text).trim()),
});\n`,
  );
  return ground;
}

interface Line {
  readonly event: string;
  readonly verdict: string;
  readonly reasons?: readonly { readonly text: string }[];
  readonly voided?: readonly string[];
  readonly changed?: readonly { readonly by: string; readonly at: string }[];
  readonly flow?: object;
  readonly said?: readonly { readonly text: string }[];
  readonly after?: { readonly input?: unknown; readonly content?: unknown };
  readonly hooks?: readonly {
    readonly hook: { readonly dialect?: string };
    readonly round: number;
    readonly skipped?: string;
    readonly effects?: readonly { readonly kind: string }[];
  }[];
}

/** Returns the journal of a session, one line per hook: dialect, round and decision. */
function told(home: string, session: string) {
  const file = join(home, '.local/state/anyhook/journal', `${session}.jsonl`);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ hooks = [] }) => hooks.length > 0)
    .map(
      ({ event, verdict, reasons = [], voided = [], changed = [], said = [], flow, after, hooks = [] }) => ({
        event,
        verdict,
        reasons: reasons.map(({ text }) => text),
        voided: voided.map((id) => id.split('.')[0]),
        changed: changed.map(({ by, at }) => `${by.split(':')[0]} ${at}`),
        said: said.map(({ text }) => text),
        ...(flow && { flow }),
        ...(after && { after: after.content ?? after.input }),
        hooks: hooks.map(({ hook, round, skipped, effects = [] }) =>
          [hook.dialect, round, skipped ?? effects.map(({ kind }) => kind).join(), ''].join(' ').trim(),
        ),
      }),
    );
}

const PLAY = [
  { calls: [{ tool: 'shell', input: { command: 'echo one two sk-123' } }] },
  { calls: [{ tool: 'shell', input: { command: 'echo rm -rf one' } }] },
  { text: 'Finished.' },
  { text: 'Looked again.', when: { lastIncludes: 'one more look' } },
];
const NOTHING = { reasons: [], voided: [], changed: [], said: [] };

test('hooks of seven dialects on one call run in order and produce one verdict with all contexts and changes', async () => {
  const ground = house();
  const asked: unknown[] = [];
  const agent = await ground.open(PLAY, {
    person: somebody(['once'], asked),
    hooks: {
      journal: {},
      hooks: {
        PreToolUse: {
          matcher: 'Bash',
          hooks: [
            () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }),
          ],
        },
      },
    },
  });
  expect(ground.seen.filter(({ kind }) => kind === 'notice')).toEqual([]);
  await agent.prompt('go');

  expect(transcript(agent)).toEqual([
    'user: go',
    'assistant: shell{"command":"echo one two sk-123"}',
    'shell: ONE TWO [redacted]\n\n[A hook changed this call before it ran: command.]\n[A hook changed this result.]',
    'hidden context: <context>\ngoose saw echo one two sk-123\n</context>',
    'hidden context: <context>\nanyhook read ONE TWO [redacted]\n</context>',
    'assistant: shell{"command":"echo rm -rf one"}',
    'shell!: shell was blocked: opta: no recursive rm.',
    'assistant: Finished.',
    'hidden stop-hook: goose: one more look',
    'assistant: Looked again.',
  ]);
  // The user is asked once, about the final call. The approval of the callback was for an earlier form.
  expect(asked).toEqual([
    {
      tool: 'shell',
      input: { command: 'echo ONE TWO sk-123' },
      rule: 'shell(echo ONE TWO sk-123)',
      title: 'shell: echo ONE TWO sk-123',
      reasons: ['claude: look at echo one two sk-123', 'claude: look at echo ONE TWO sk-123'],
      changed: ['command'],
    },
  ]);
  expect(told(ground.home, agent.session.id)).toEqual([
    {
      event: 'tool.before',
      verdict: 'ask',
      reasons: ['claude: look at echo one two sk-123', 'claude: look at echo ONE TWO sk-123'],
      voided: ['(program)#sdk'],
      changed: ['opencode input.command', 'oh-my-pi input.command'],
      said: ['goose saw echo one two sk-123'],
      after: { command: 'echo ONE TWO sk-123' },
      hooks: [
        'anyhook 1', // The built-in guard runs first.
        'goose 1 context',
        'opta 1',
        'claude-code 1 ask',
        'claude-agent-sdk 1 allow',
        'opencode 1 set',
        'oh-my-pi 1 set',
        // Every guard that has not judged the final call runs again.
        'anyhook 2',
        'goose 2 context',
        'opta 2',
        'claude-code 2 ask',
        'claude-agent-sdk 2 allow',
        'opencode 2',
      ],
    },
    {
      ...NOTHING,
      event: 'tool.after',
      verdict: 'none',
      changed: ['oh-my-pi content'],
      said: ['anyhook read ONE TWO [redacted]'],
      after: [{ type: 'text', text: 'ONE TWO [redacted]' }],
      hooks: ['oh-my-pi 1 set', 'anyhook 1 context'],
    },
    {
      ...NOTHING,
      event: 'tool.before',
      verdict: 'deny',
      reasons: ['opta: no recursive rm'],
      hooks: [
        'anyhook 1',
        'goose 1 context',
        'opta 1 deny',
        'claude-code 1 ask',
        'claude-agent-sdk 1 allow',
        'opencode 1 refused before its turn',
        'oh-my-pi 1 refused before its turn',
      ],
    },
    {
      ...NOTHING,
      event: 'turn.stop',
      verdict: 'none',
      flow: { resume: 'goose: one more look' },
      hooks: ['goose 1 resume'],
    },
    { ...NOTHING, event: 'turn.stop', verdict: 'none', hooks: ['goose 1'] },
  ]);
});

test('the same session without hooks runs as the model wrote it', async () => {
  const agent = await house().open(PLAY, { hooks: { settings: false } });
  await agent.prompt('go');
  expect(transcript(agent)).toEqual([
    'user: go',
    'assistant: shell{"command":"echo one two sk-123"}',
    'shell: one two sk-123',
    'assistant: shell{"command":"echo rm -rf one"}',
    'shell: rm -rf one',
    'assistant: Finished.',
  ]);
});
