/** Hooks of several dialects, in their own file formats, in one session of the agent. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lacks } from '../../../anyhook/test/programs.mjs';
import { somebody, stage, transcript } from '../loop/fixtures/stage.ts';

describe('hooks written for other agents act in this one', () => {
  test.skipIf(lacks('jq'))(
    'Opta, Claude Code, Goose and our own together: blocked, rewritten, told, formatted, resumed',
    async () => {
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
    },
  );

  test('an OpenCode plugin redacts, an oh-my-pi hook adds a message and an SDK callback refuses, all in one session', async () => {
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

  test('a prompt hook is judged by the hook model, outside the conversation', async () => {
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

describe.skipIf(lacks('jq'))('a call that went wrong', () => {
  const NOTE = 'jq -r \'[.hook_event_name // "?", .tool_error // .error // "-"] | join(": ")\' >> "$NOTES"';
  const both = {
    PostToolUse: [{ hooks: [{ type: 'command', command: NOTE }] }],
    PostToolUseFailure: [{ hooks: [{ type: 'command', command: NOTE }] }],
  };
  test.each([
    ['Claude Code', 'home/.claude/settings.json'],
    ['Goose', 'home/.config/goose/hooks.json'],
  ])(
    'a failed tool call is reported as failed to hooks of %s, however it failed, and a successful one is not',
    async (_, file) => {
      const ground = stage();
      const notes = join(ground.home, 'notes');
      ground.write(file, JSON.stringify({ hooks: both }).replaceAll('$NOTES', notes));
      ground.write('project/a.txt', 'hello\n');
      const agent = await ground.open([
        { calls: [{ tool: 'shell', input: { command: 'echo out; exit 3' } }] },
        { calls: [{ tool: 'read', input: { path: 'missing.txt' } }] },
        { calls: [{ tool: 'edit', input: { path: 'a.txt', old: 'nowhere', new: 'x' } }] },
        { calls: [{ tool: 'shell', input: { command: 'true' } }] },
        { text: 'Done.' },
      ]);
      await agent.prompt('go');
      const heard = readFileSync(notes, 'utf8')
        .trim()
        .split('\n')
        .filter((line) => line.includes('PostToolUse'));
      expect(heard.map((line) => line.split(':')[0])).toEqual([
        'PostToolUseFailure',
        'PostToolUseFailure',
        'PostToolUseFailure',
        'PostToolUse',
      ]);
      expect(heard[0]).toContain('out');
    },
  );

  test('OpenCode plugins see a command with an exit code as finished, and get no event for a tool that failed', async () => {
    const ground = stage();
    const notes = join(ground.home, 'notes');
    ground.write(
      'home/.config/opencode/plugin/note.js',
      `import { appendFileSync } from 'node:fs';
       export const Note = async () => ({ 'tool.execute.after': async ({ tool }) => appendFileSync(${JSON.stringify(notes)}, tool + '\\n') });`,
    );
    const agent = await ground.open([
      { calls: [{ tool: 'shell', input: { command: 'exit 3' } }] },
      { calls: [{ tool: 'read', input: { path: 'missing.txt' } }] },
      { text: 'Done.' },
    ]);
    await agent.prompt('go');
    expect(readFileSync(notes, 'utf8')).toBe('bash\n');
  });
});

describe('a plugin of OpenCode’s', () => {
  const plugin = (hooks: string) =>
    `import { appendFileSync } from 'node:fs';\nconst note = (what) => appendFileSync(process.env.NOTES, JSON.stringify(what) + '\\n');\nexport const P = async () => (${hooks});`;

  test.each([
    ['refuses only in permission.ask', `{ 'permission.ask': async () => {} }`, ['allow'], 1],
    ['is there with a person to ask', `{ 'permission.ask': async () => {} }`, ['ask'], 0],
    [
      'refuses before the call too',
      `{ 'permission.ask': async () => {}, 'tool.execute.before': async () => {} }`,
      ['allow'],
      0,
    ],
  ])(
    'a plugin of OpenCode that %s produces one warning with --permission allow',
    async (_, hooks, [permission], times) => {
      const ground = stage();
      ground.write('home/.config/opencode/plugin/p.js', plugin(hooks));
      await ground.open([{ text: 'Done.' }], { permission: permission as 'allow' | 'ask' });
      const warned = ground.seen.filter(
        (one) => one.kind === 'notice' && one.text.includes('permission.ask'),
      );
      expect(warned).toHaveLength(times);
    },
  );

  test('a plugin of OpenCode receives the whole model and its provider, and a unique id for every event', async () => {
    const ground = stage();
    const notes = join(ground.home, 'notes');
    ground.write(
      'home/.config/opencode/plugin/p.js',
      plugin(`{
        'chat.params': async ({ model, provider }) => note({ model, provider }),
        event: async ({ event }) => note({ id: event.id, type: event.type }),
      }`).replaceAll('process.env.NOTES', JSON.stringify(notes)),
    );
    const agent = await ground.open([
      { calls: [{ tool: 'shell', input: { command: 'true' } }] },
      { text: 'Done.' },
    ]);
    await agent.prompt('go');
    await expect.poll(() => readFileSync(notes, 'utf8'), { timeout: 20_000 }).toContain('session.idle'); // The plugin runs asynchronously.
    const heard = readFileSync(notes, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, never>);
    const { model, provider } = heard.find((one) => 'model' in one) as Record<
      string,
      Record<string, unknown>
    >;
    expect(Object.keys(model!)).toEqual(
      expect.arrayContaining([
        'id',
        'providerID',
        'name',
        'api',
        'capabilities',
        'cost',
        'limit',
        'status',
        'options',
        'headers',
      ]),
    );
    expect((model!['limit'] as { context: number }).context).toBeGreaterThan(0);
    expect(provider).toMatchObject({
      source: 'custom',
      info: { id: model!['providerID'], models: { [String(model!['id'])]: model } },
    });
    const events = heard.filter((one) => 'type' in one) as unknown as { id: string; type: string }[];
    expect(events.length).toBeGreaterThan(5);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test('a plugin of OpenCode receives every bus event that this agent has an equivalent for', async () => {
    const ground = stage();
    const notes = join(ground.home, 'notes');
    ground.write('home/.config/anyhook-agent/commands/hail.md', 'Say hello to $ARGUMENTS.');
    ground.write(
      'home/.config/opencode/plugin/p.js',
      plugin(`{ event: async ({ event }) => note(event) }`).replaceAll(
        'process.env.NOTES',
        JSON.stringify(notes),
      ),
    );
    const agent = await ground.open(
      {
        main: [
          { error: { status: 503, message: 'busy' } },
          {
            text: 'Working.',
            calls: [
              { tool: 'write', input: { path: 'a.txt', content: 'a' } },
              { tool: 'todo', input: { todos: [{ content: 'rest', status: 'completed' }] } },
              { tool: 'shell', input: { command: 'rm -rf /' } },
              { tool: 'task', input: { description: 'look', prompt: 'look', type: 'explore' } },
            ],
          },
          { text: 'Done.' },
          { text: 'Hello.' },
          { error: { status: 401, message: 'no' } },
        ],
        'task:explore': [{ text: 'looked' }],
        summary: [{ text: 'short', repeat: true }],
      },
      {
        permission: 'ask',
        person: somebody(['once', 'deny', 'once']),
        settings: { retry: { attempts: 2, firstDelayMs: 1 } },
      },
    );
    await agent.prompt('go');
    await agent.runCommand('hail', 'Ada');
    await agent.prompt('fails');
    await agent.compact();
    await agent.close();
    const heard = readFileSync(notes, 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { type: string; properties: Record<string, Record<string, unknown>> },
      );
    const types = new Set(heard.map(({ type }) => type));
    expect([...types].toSorted()).toEqual([
      'command.executed',
      'file.edited',
      'message.part.updated',
      'message.updated',
      'permission.asked',
      'permission.replied',
      'session.compacted',
      'session.created',
      'session.error',
      'session.idle',
      'session.status',
      'todo.updated',
      'tui.toast.show',
    ]);
    const told = (type: string) =>
      heard.filter((one) => one.type === type).map(({ properties }) => properties);
    const roles = told('message.updated').map(({ info }) => info!['role']);
    expect([...new Set(roles)]).toEqual(['user', 'assistant']);
    const messages = new Set(told('message.updated').map(({ info }) => info!['id']));
    expect(messages).not.toContain('');
    expect(messages.size).toBe(roles.length);
    const parts = told('message.part.updated').map(({ part }) => part!);
    expect(parts.filter(({ id, messageID }) => !id || !messages.has(messageID))).toEqual([]);
    expect(messages).toContain(told('command.executed')[0]!['messageID']);
    const states = told('session.status').map(({ status }) => status!['type']);
    expect([...new Set(states)].toSorted()).toEqual(['busy', 'idle', 'retry']);
    expect(told('command.executed')).toMatchObject([{ name: 'hail', arguments: 'Ada' }]);
    expect(told('todo.updated')).toMatchObject([{ todos: [{ content: 'rest', status: 'completed' }] }]);
  });
});

test('variables that a Claude Code hook writes to CLAUDE_ENV_FILE apply to later commands of the same session only', async () => {
  const ground = stage();
  const start = `printf 'export NAME="Ada L."\\nexport PATH="/extra:$PATH"\\n' >> "$CLAUDE_ENV_FILE"`;
  ground.write(
    'home/.claude/settings.json',
    JSON.stringify({
      hooks: {
        SessionStart: [{ matcher: 'startup', hooks: [{ type: 'command', command: start }] }],
        FileChanged: [
          {
            matcher: 'a.txt',
            hooks: [{ type: 'command', command: 'echo export LAST=edited > "$CLAUDE_ENV_FILE"' }],
          },
        ],
        PreToolUse: [{ hooks: [{ type: 'command', command: 'echo "<$NAME>" >> seen-by-hooks' }] }],
      },
    }),
  );
  const ask = 'echo "<$NAME><$LAST><${PATH%%:*}>"';
  const agent = await ground.open([
    { calls: [{ tool: 'shell', input: { command: ask } }] },
    { calls: [{ tool: 'write', input: { path: 'a.txt', content: 'x' } }] },
    { calls: [{ tool: 'shell', input: { command: ask } }] },
    { text: 'Done.' },
    { calls: [{ tool: 'shell', input: { command: 'echo "<$NAME>"' } }] },
    { text: 'Done.' },
  ]);
  await agent.prompt('go');
  const outputs = () => transcript(agent).filter((line) => line.startsWith('shell: '));
  expect(outputs()).toEqual(['shell: <Ada L.><></extra>', 'shell: <Ada L.><edited></extra>']);
  expect(readFileSync(join(ground.cwd, 'seen-by-hooks'), 'utf8')).toBe('<>\n'.repeat(3));
  await agent.newSession();
  await agent.prompt('go');
  expect(outputs()).toEqual(['shell: <>']);
  await agent.close();
});

describe('an agent hook of Claude Code', () => {
  const settings = (matcher: string, more: object = {}) =>
    JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher, hooks: [{ type: 'agent', prompt: 'May it? $ARGUMENTS' }] }],
        ...more,
      },
    });
  const tracks = (look: { tool: string; input: Record<string, unknown> }) => ({
    main: [{ calls: [{ tool: 'shell', input: { command: 'touch deployed' } }] }, { text: 'ok' }],
    judge: [
      { calls: [look] },
      { text: '{"ok": false, "reason": "the file says freeze"}', when: { lastIncludes: 'freeze' } },
      { text: '{"ok": true}' },
    ],
  });
  const reading = { tool: 'read', input: { path: 'state.txt' } };

  test('an agent hook of Claude Code judges by what it reads in the project', async () => {
    const ground = stage();
    ground.write('home/.claude/settings.json', settings('Bash'));
    ground.write('project/state.txt', 'freeze\n');
    const agent = await ground.open(tracks(reading));
    await agent.prompt('go');
    expect(transcript(agent)[2]).toContain('the file says freeze');
    expect(existsSync(join(ground.cwd, 'deployed'))).toBe(false);
  });
  test.skipIf(lacks('jq'))(
    'gets no more to read than hooks and rules allow, and none of its calls is judged by another judge',
    async () => {
      const ground = stage();
      const guard = { type: 'command', command: 'jq -r .agent_type >> who; echo not this >&2; exit 2' };
      ground.write(
        'home/.claude/settings.json',
        settings('*', {
          PreToolUse: [
            { matcher: '*', hooks: [{ type: 'agent', prompt: 'May it? $ARGUMENTS' }] },
            { matcher: 'Read', hooks: [guard] },
          ],
        }),
      );
      ground.write('project/state.txt', 'freeze\n');
      const agent = await ground.open(tracks(reading));
      await agent.prompt('go');
      expect(existsSync(join(ground.cwd, 'deployed'))).toBe(true);
      expect(readFileSync(join(ground.cwd, 'who'), 'utf8')).toBe('judge\n');
    },
  );
  test('an agent hook of Claude Code is offered no tools that write or run commands', async () => {
    const ground = stage();
    ground.write('home/.claude/settings.json', settings('Bash'));
    const agent = await ground.open(tracks({ tool: 'shell', input: { command: 'touch by-the-judge' } }));
    await agent.prompt('go');
    expect(existsSync(join(ground.cwd, 'by-the-judge'))).toBe(false);
  });
});

test('rules that a Claude Code hook returns with an approval apply to the rest of the session, and the user is notified', async () => {
  const ground = stage();
  const updatedPermissions = [
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'touch other*' }],
      behavior: 'deny',
      destination: 'session',
    },
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'touch:*' }],
      behavior: 'allow',
      destination: 'localSettings',
    },
    { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
  ];
  const decision = { behavior: 'allow', updatedPermissions };
  const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
  const command = `echo asked >> asked; echo '${JSON.stringify(answer)}'`;
  ground.write(
    'home/.claude/settings.json',
    JSON.stringify({ hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command }] }] } }),
  );
  const agent = await ground.open(
    [
      { calls: [{ tool: 'shell', input: { command: 'touch one' } }] },
      { calls: [{ tool: 'shell', input: { command: 'touch two' } }] },
      { calls: [{ tool: 'shell', input: { command: 'touch other' } }] },
      { text: 'Done.' },
    ],
    { permission: 'ask' },
  );
  await agent.prompt('go');
  expect(['one', 'two', 'other'].map((name) => existsSync(join(ground.cwd, name)))).toEqual([
    true,
    true,
    false,
  ]);
  expect(readFileSync(join(ground.cwd, 'asked'), 'utf8')).toBe('asked\n');
  expect(ground.seen.flatMap((one) => (one.kind === 'notice' ? [one.text] : []))).toEqual([
    'updatedPermissions: setMode is not supported here',
    'a hook added a rule for this session: deny shell(touch other*)',
    'a hook added a rule for this session: allow shell(touch)',
    'a hook added a rule for this session: allow shell(touch *)',
  ]);
});
