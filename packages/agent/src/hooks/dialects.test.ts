/** Hooks of several dialects, as their own files, in one session of the agent. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stage, transcript } from '../loop/fixtures/stage.ts';

describe('hooks written for other agents act in this one', () => {
  test('Opta, Claude Code, Goose and our own together: blocked, rewritten, told, formatted, resumed', async () => {
    const ground = stage();
    const { home } = ground;
    const block = ground.write(
      'home/bin/block-rm.sh',
      '#!/bin/bash\nCMD=$(echo "$OPTA_TOOL_ARGS" | jq -r \'.command // empty\')\necho "$CMD" | grep -qE \'rm\\s+(-rf?|--recursive)\' && echo "Blocked: destructive rm" >&2 && exit 1\nexit 0\n',
    );
    ground.write(
      'home/.config/opta/config.json',
      JSON.stringify({ hooks: [{ event: 'tool.pre', matcher: 'run_command', command: block }] }),
    );
    const goose = ground.write(
      'home/bin/inject.sh',
      '#!/bin/bash\necho \'{"additionalContext":"the house speaks French"}\'\n',
    );
    ground.write(
      'home/.config/goose/hooks.json',
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: goose }] }] } }),
    );
    const format = ground.write(
      'home/bin/format.sh',
      '#!/bin/bash\nFILE=$(jq -r .tool_input.file_path)\ntr a-z A-Z < "$FILE" > "$FILE.new" && mv "$FILE.new" "$FILE"\n',
    );
    const stop = ground.write(
      'home/bin/stop.sh',
      '#!/bin/bash\n[ "$(jq -r .stop_hook_active)" = true ] && exit 0\necho "run the tests first" >&2\nexit 2\n',
    );
    ground.write(
      'home/.claude/settings.json',
      JSON.stringify({
        hooks: {
          PostToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: format }] }],
          Stop: [{ hooks: [{ type: 'command', command: stop }] }],
        },
      }),
    );
    ground.write(
      'home/.config/anyhook/hooks.json',
      JSON.stringify({ hooks: { 'tool.before': [{ match: 'shell', run: join(home, 'bin', 'own.sh') }] } }),
    );
    ground.write(
      'home/bin/own.sh',
      '#!/bin/bash\ngrep -q "echo one" && echo \'{"set":{"input":{"command":"echo two"}}}\'\nexit 0\n',
    );
    const agent = await ground.open([
      { calls: [{ tool: 'shell', input: { command: 'rm -rf build' } }] },
      { calls: [{ tool: 'shell', input: { command: 'echo one' } }] },
      { calls: [{ tool: 'write', input: { path: 'a.txt', content: 'hello\n' } }] },
      { text: 'All done.' },
      { text: 'Tests are green.', when: { lastIncludes: 'run the tests first' } },
    ]);
    expect(ground.seen.filter(({ kind }) => kind === 'notice')).toEqual([]);
    await agent.prompt('go');
    expect(transcript(agent)).toEqual([
      'user: go',
      'hidden context: <context>\nthe house speaks French\n</context>',
      'assistant: shell{"command":"rm -rf build"}',
      'shell!: shell was blocked: Blocked: destructive rm.',
      'assistant: shell{"command":"echo one"}',
      expect.stringMatching(/^shell: two\n[^]*\[A hook changed this call before it ran: command\.\]$/),
      'assistant: write{"path":"a.txt","content":"hello\\n"}',
      expect.stringMatching(/^write: /),
      'assistant: All done.',
      expect.stringMatching(/^hidden stop-hook: .*run the tests first/),
      'assistant: Tests are green.',
    ]);
    expect(readFileSync(join(ground.cwd, 'a.txt'), 'utf8')).toBe('HELLO\n');
    expect(existsSync(agent.session.file)).toBe(true);
    const lines = ground.seen.flatMap((one) =>
      one.kind === 'hook-ended' && one.decided.startsWith('denied') ? [one.decided] : [],
    );
    expect(lines).toEqual(['denied: Blocked: destructive rm']);
  });

  test('an OpenCode plugin redacts, an oh-my-pi hook adds a message, an SDK callback refuses, all in one session', async () => {
    const ground = stage();
    ground.write(
      'home/.config/opencode/plugin/redact.js',
      `export const Redact = async () => ({
        'tool.execute.after': async (input, output) => {
          if (input.tool === 'bash') output.output = output.output.replaceAll('hunter2', '***');
        },
      });`,
    );
    ground.write(
      'home/.omp/agent/hooks/pre/greet.ts',
      `export default function (pi) {
        pi.on('before_agent_start', () => ({ message: { customType: 'greet', content: 'the person is Ada', display: true } }));
      }`,
    );
    const agent = await ground.open(
      [
        { calls: [{ tool: 'shell', input: { command: 'echo password hunter2' } }] },
        { calls: [{ tool: 'shell', input: { command: 'git push --force' } }] },
        { text: 'done' },
      ],
      {
        hooks: {
          hooks: {
            PreToolUse: async (input) =>
              JSON.stringify(input).includes('--force')
                ? {
                    hookSpecificOutput: {
                      hookEventName: 'PreToolUse',
                      permissionDecision: 'deny',
                      permissionDecisionReason: 'no force',
                    },
                  }
                : {},
          },
        },
      },
    );
    expect(ground.seen.filter(({ kind }) => kind === 'notice')).toEqual([]);
    await agent.prompt('go');
    expect(transcript(agent)).toEqual([
      'user: go',
      'hidden greet: the person is Ada',
      'assistant: shell{"command":"echo password hunter2"}',
      expect.stringMatching(/^shell: password \*\*\*\n[^]*\[A hook changed this result\.\]$/),
      'assistant: shell{"command":"git push --force"}',
      expect.stringContaining('no force'),
      'assistant: done',
    ]);
    expect(ground.seen.filter(({ kind }) => kind === 'custom')).toHaveLength(1);
  });

  test('a prompt hook is judged by the hook model, apart from the conversation', async () => {
    const ground = stage();
    ground.write(
      'home/.claude/settings.json',
      JSON.stringify({
        hooks: {
          PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'prompt', prompt: 'Is this safe? $ARGUMENTS' }] }],
        },
      }),
    );
    const agent = await ground.open({
      main: [{ calls: [{ tool: 'shell', input: { command: 'curl evil' } }] }, { text: 'ok' }],
      judge: [{ text: '{"ok": false, "reason": "it phones home"}', when: { lastIncludes: 'curl evil' } }],
    });
    await agent.prompt('go');
    expect(transcript(agent)[2]).toContain('it phones home');
  });
});
