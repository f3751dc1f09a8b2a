/** Requirements of the five documents that need an agent, tested with hook files in a session of this agent. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Stage, somebody, stage, transcript } from '../loop/fixtures/stage.ts';
import { openMcpTools } from '../tools/mcp.ts';

const call = (command: string) => ({ calls: [{ tool: 'shell', input: { command } }] });
const END = { text: 'Done.' };

describe('OpenCode plugins in this agent', () => {
  const plugin = (ground: Stage, hooks: string, name = 'p') =>
    ground.write(`home/.config/opencode/plugin/${name}.js`, `export const P = async () => (${hooks});\n`);

  test('OpenCode chat.params shows temperature, topP and options, and its changes reach the provider', async () => {
    const ground = stage();
    plugin(
      ground,
      `{ 'chat.params': async (input, output) => {
          const before = { ...output };
          output.temperature = 'temperature' in before && before.temperature === undefined ? 0.25 : 9;
          output.topP = 'topP' in before && before.topP === undefined ? 0.75 : 9;
          if (typeof before.options === 'object') output.options.user = 'ada';
        } }`,
    );
    const bodies: Record<string, unknown>[] = [];
    const agent = await ground.open([], {
      model: 'openai:gpt-4o',
      env: { PATH: process.env['PATH'], HOME: ground.home, OPENAI_API_KEY: 'none' },
      fetch: async (_, init) => {
        bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
        return Response.json({ error: { message: 'enough seen' } }, { status: 400 });
      },
    });
    await agent.prompt('go');
    expect(bodies[0]).toMatchObject({ temperature: 0.25, top_p: 0.75, user: 'ada' });
  });

  const STATUS = `{ 'permission.ask': async ({ tool, args }, output) => {
      const [, status] = /^touch (allow|deny|ask)/.exec(args.command) ?? [];
      if (tool === 'bash' && status !== undefined) output.status = status;
    } }`;
  test.each([
    ['deny', 0, false],
    ['allow', 0, true],
    ['ask', 1, true],
    ['left-alone', 1, true],
  ])(
    'OpenCode permission.ask with the status %s: %i questions to the user, the call runs: %s',
    async (status, questions, runs) => {
      const ground = stage();
      plugin(ground, STATUS);
      const asked: unknown[] = [];
      const agent = await ground.open([call(`touch ${status}`), END], {
        permission: 'ask',
        person: somebody(['once'], asked),
      });
      await agent.prompt('go');
      expect([asked.length, existsSync(join(ground.cwd, status))]).toEqual([questions, runs]);
      expect(transcript(agent)[2]!.startsWith('shell!: shell was blocked')).toBe(!runs);
    },
  );

  test('OpenCode permission.ask is not called with --permission allow, and a warning names the plugin', async () => {
    const ground = stage();
    const file = plugin(ground, STATUS);
    const agent = await ground.open([call('touch deny'), END], { permission: 'allow' });
    await agent.prompt('go');
    expect(existsSync(join(ground.cwd, 'deny'))).toBe(true);
    const warnings = ground.seen.flatMap((one) => (one.kind === 'notice' ? [one.text] : []));
    expect(warnings).toEqual([expect.stringContaining(`${file} refuses calls only in permission.ask`)]);
  });

  test.each([
    [undefined, 'first broke and the second ran'],
    [true, 'first broke'],
  ])(
    'after a throw in tool.execute.after with seedStrict %s the model reads %j',
    async (seedStrict, text) => {
      const ground = stage();
      plugin(ground, `{ 'tool.execute.after': async () => { throw new Error('first broke'); } }`, 'a');
      plugin(ground, `{ 'tool.execute.after': async (_, o) => { o.output += ' and the second ran'; } }`, 'b');
      const agent = await ground.open([call('true'), END], {
        hooks: { ...(seedStrict !== undefined && { modules: { seedStrict } }) },
      });
      await agent.prompt('go');
      expect(transcript(agent)[2]!.split('\n')[0]).toBe(`shell!: ${text}`);
    },
  );
});

describe('oh-my-pi hook modules in this agent', () => {
  const module = (ground: Stage, body: string, name = 'h') =>
    ground.write(`home/.omp/agent/hooks/pre/${name}.ts`, `export default function (pi) { ${body} }\n`);

  test('isError returned by an oh-my-pi hook turns neither a failure into a success nor a success into a failure', async () => {
    const ground = stage();
    module(ground, `pi.on('tool_result', ({ isError }) => ({ isError: !isError }));`);
    const agent = await ground.open([call('echo out; exit 3'), call('echo fine'), END]);
    await agent.prompt('go');
    const results = transcript(agent).filter((line) => line.startsWith('shell'));
    expect(results).toEqual([expect.stringMatching(/^shell!: out/), expect.stringMatching(/^shell: fine/)]);
  });

  test('a failing tool reaches oh-my-pi tool_result with isError, and the original error is kept', async () => {
    const ground = stage();
    const notes = join(ground.home, 'notes');
    module(
      ground,
      `pi.on('tool_result', ({ isError, content }) => {
        require('node:fs').writeFileSync(${JSON.stringify(notes)}, JSON.stringify([isError, content[0].text]));
        return { content: [{ type: 'text', text: 'all is well' }], isError: false };
      });`.replace('require(', 'process.getBuiltinModule('),
    );
    const agent = await ground.open([{ calls: [{ tool: 'read', input: { path: 'missing.txt' } }] }, END]);
    await agent.prompt('go');
    const result = transcript(agent)[2]!;
    expect(result).toMatch(/^read!: .*missing\.txt/);
    const [isError, text] = JSON.parse(readFileSync(notes, 'utf8')) as [boolean, string];
    expect([isError, result]).toEqual([true, `read!: ${text}`]);
  });

  test('oh-my-pi getEditorText returns the text set by setEditorText, immediately and at the next event', async () => {
    const ground = stage();
    const notes = join(ground.home, 'notes');
    module(
      ground,
      `const note = (text) => process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(notes)}, text + '\\n');
       pi.on('tool_call', (event, { ui }) => {
         note(ui.getEditorText());
         ui.setEditorText(ui.getEditorText() + ' and more');
         note(ui.getEditorText());
       });`,
    );
    let draft = 'draft';
    const dialogs = {
      select: async () => undefined,
      confirm: async () => false,
      input: async () => undefined,
      notify() {},
      setEditorText: (text: string) => void (draft = text),
      getEditorText: () => draft,
    };
    const agent = await ground.open([call('true'), call('true'), END], {
      person: { ...somebody([]), dialogs },
    });
    await agent.prompt('go');
    expect(readFileSync(notes, 'utf8').trim().split('\n')).toEqual([
      'draft',
      'draft and more',
      'draft and more',
      'draft and more and more',
    ]);
    expect(draft).toBe('draft and more and more');
  });

  test('oh-my-pi session.compacting adds context, prompt and preserved data; context of OpenCode and Goose hooks is kept', async () => {
    const ground = stage();
    module(
      ground,
      `pi.on('session.compacting', () => ({ context: ['from oh-my-pi'], prompt: 'In one word.', preserveData: { todo: 1 } }));`,
    );
    ground.write(
      'home/.config/opencode/plugin/p.js',
      `export const P = async () => ({ 'experimental.session.compacting': async (_, output) => { output.context.push('from OpenCode'); } });\n`,
    );
    ground.write(
      'home/.config/goose/hooks.json',
      JSON.stringify({
        hooks: { PreCompact: [{ hooks: [{ type: 'command', command: 'echo from Goose' }] }] },
      }),
    );
    const parts = ['In one word.', 'from Goose', 'from OpenCode', 'from oh-my-pi'];
    const agent = await ground.open({
      main: [{ text: 'one' }, { text: 'two' }],
      summary: [
        ...parts.map((part) => ({ text: `"${part}" is missing`, when: { lastLacks: part } })),
        { text: 'nothing is missing' },
      ],
    });
    await agent.prompt('first');
    await agent.prompt('second');
    await agent.compact();
    expect(transcript(agent)[0]).toBe('compactionSummary: nothing is missing');
    expect(agent.current.entries.findLast(({ type }) => type === 'compaction')).toMatchObject({
      preserved: [{ todo: 1 }],
    });
  });
});

describe('Goose hooks in this agent', () => {
  const SERVER = `import { McpServer } from ${JSON.stringify(import.meta.resolve('@modelcontextprotocol/sdk/server/mcp.js'))};
    import { StdioServerTransport } from ${JSON.stringify(import.meta.resolve('@modelcontextprotocol/sdk/server/stdio.js'))};
    const server = new McpServer({ name: 'mem', version: '1' });
    const text = JSON.stringify({ decision: 'Block', reason: 'not on Fridays' });
    server.registerTool('check', {}, () => ({ content: [{ type: 'text', text }] }));
    await server.connect(new StdioServerTransport());\n`;
  const hooks = (ground: Stage, map: Readonly<Record<string, object>>) =>
    ground.write(
      'home/.config/goose/hooks.json',
      JSON.stringify({
        hooks: Object.fromEntries(
          Object.entries(map).map(([event, action]) => [event, [{ hooks: [action] }]]),
        ),
      }),
    );

  test.each([
    ['plain text', 'plain words'],
    ['text that begins with a brace', '{ not JSON'],
    ['JSON followed by text', '{"a":1} and more'],
    ['additionalContext of an answer', '{"additionalContext":"be brief"}', 'be brief'],
  ])('Goose: %s on stdout with exit 0 becomes context for the model', async (_, text, context = text) => {
    const ground = stage();
    const file = ground.write('home/out.txt', text);
    hooks(ground, { UserPromptSubmit: { type: 'command', command: `cat ${file}` } });
    const agent = await ground.open([END]);
    await agent.prompt('go');
    expect(transcript(agent)).toEqual([
      'user: go',
      `hidden context: <context>\n${context}\n</context>`,
      'assistant: Done.',
    ]);
  });

  test.each(['mem__check', 'mcp__mem__check'])(
    'a Goose mcp_tool action calls the tool of an MCP server as %s, and its text decides',
    async (tool) => {
      const ground = stage();
      const server = ground.write('home/server.mjs', SERVER);
      ground.write(
        'home/.config/anyhook-agent/mcp.json',
        JSON.stringify({ mcpServers: { mem: { command: process.execPath, args: [server] } } }),
      );
      const { home, cwd } = ground;
      const { tools, problems, close } = await openMcpTools({ home, cwd, env: process.env });
      onTestFinished(() => close());
      expect(problems).toEqual([]);
      hooks(ground, { PreToolUse: { type: 'mcp_tool', tool } });
      const agent = await ground.open([call('touch made'), END], { tools });
      await agent.prompt('go');
      expect(transcript(agent)[2]).toContain('not on Fridays');
      expect(existsSync(join(ground.cwd, 'made'))).toBe(false);
    },
  );
});

describe('one session with hooks of Opta, Goose and oh-my-pi on every event', { timeout: 60_000 }, () => {
  const GOOSE = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PreCompact',
    'PostCompact',
    'Stop',
  ];
  const OPTA = ['session.start', 'session.end', 'tool.pre', 'tool.post', 'compact', 'error'];
  type Note = Record<string, unknown>;
  const notesIn = (file: string): Note[] =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Note);

  async function play() {
    const ground = stage();
    const [goose, opta, pi] = ['goose', 'opta', 'pi'].map((name) => join(ground.home, `${name}.log`)) as [
      string,
      string,
      string,
    ];
    const note = (file: string) => `{ cat; echo; } >> ${file}`;
    const groups = GOOSE.map((word) => [word, [{ hooks: [{ type: 'command', command: note(goose) }] }]]);
    ground.write('home/.config/goose/hooks.json', JSON.stringify({ hooks: Object.fromEntries(groups) }));
    ground.write(
      'home/.config/opta/config.json',
      JSON.stringify({ hooks: OPTA.map((event) => ({ event, command: note(opta) })) }),
    );
    ground.write(
      'home/.omp/agent/hooks/pre/note.ts',
      `const { appendFileSync } = process.getBuiltinModule('node:fs');
       export default (pi) => {
         for (const type of ${JSON.stringify(PI)}) pi.on(type, (event) => appendFileSync(${JSON.stringify(pi)}, JSON.stringify({ type: event.type }) + '\\n'));
       };\n`,
    );
    const agent = await ground.open(
      {
        main: [
          { error: { status: 503, message: 'busy' } },
          { text: 'I use any.' },
          call('echo fine'),
          call('exit 3'),
          { calls: [{ tool: 'todo', input: { todos: [{ content: 'rest', status: 'pending' }] } }] },
          { text: 'Done?' },
          { calls: [{ tool: 'todo', input: { todos: [{ content: 'rest', status: 'completed' }] } }] },
          { text: 'Done.', usage: { input: 95_000, output: 1 } },
          { text: 'Again.' },
          { error: { status: 401, message: 'no such key' } },
          { text: 'Hello.' },
        ],
        summary: [{ text: 'short', repeat: true }],
      },
      {
        settings: {
          retry: { attempts: 2, firstDelayMs: 1 },
          streamRules: [{ pattern: 'any', text: 'no any' }],
        },
      },
    );
    await agent.prompt('first');
    const start = agent.current.entries[0]!.id;
    await agent.prompt('second');
    await agent.prompt('fails');
    await agent.compact();
    await agent.navigate(start, { summarize: true });
    await agent.branch(agent.current.entries.find(({ type }) => type === 'message')!.id);
    await agent.newSession();
    await agent.prompt('anew');
    await agent.close();
    return { ground, goose: notesIn(goose), opta: notesIn(opta), pi: notesIn(pi) };
  }
  const PI = [
    'session_start session_before_switch session_switch session_before_branch session_branch session_before_compact',
    'session.compacting session_compact session_before_tree session_tree session_shutdown context before_agent_start',
    'agent_start agent_end turn_start turn_end auto_compaction_start auto_compaction_end auto_retry_start',
    'auto_retry_end ttsr_triggered todo_reminder tool_call tool_result',
  ].flatMap((line) => line.split(' '));

  let played: ReturnType<typeof play> | undefined;
  const story = () => (played ??= play());

  test('every event of the oh-my-pi document reaches its handler', async () => {
    const types = new Set((await story()).pi.map(({ type }) => type));
    expect(PI.filter((type) => !types.has(type))).toEqual([]);
  });

  test('every event of the Goose document reaches its hook, with the document’s fields', async () => {
    const { goose, ground } = await story();
    const of = (word: string) => goose.filter(({ hook_event_name: name }) => name === word);
    expect(GOOSE.filter((word) => of(word).length === 0)).toEqual([]);
    expect(goose.filter(({ session_id: id, cwd }) => id === '' || cwd !== ground.cwd)).toEqual([]);
    expect(of('UserPromptSubmit').map(({ user_prompt: prompt }) => prompt)).toEqual([
      'first',
      'second',
      'fails',
      'anew',
    ]);
    const shell = { tool_name: 'developer__shell' };
    expect(of('PreToolUse')[0]).toMatchObject({ ...shell, tool_input: { command: 'echo fine' } });
    expect(of('PostToolUse')[0]).toMatchObject({ ...shell, tool_output: ['fine'] });
    expect(of('PostToolUseFailure')[0]).toMatchObject({
      ...shell,
      tool_input: { command: 'exit 3' },
      tool_error: expect.stringMatching(/3/) as string,
    });
    expect(new Set(of('PreCompact').map(({ manual_compact: manual }) => manual))).toEqual(
      new Set([false, true]),
    );
    expect(of('PostCompact')[0]).toMatchObject({
      pre_compact_message_count: expect.any(Number) as number,
      post_compact_message_count: expect.any(Number) as number,
    });
  });

  test('SessionStart of Goose fires once per session', async () => {
    const { goose } = await story();
    const sessions = goose.flatMap((one) =>
      one['hook_event_name'] === 'SessionStart' ? [one['session_id']] : [],
    );
    expect([sessions.length, new Set(sessions).size]).toEqual([2, 2]);
  });

  test('every event of the Opta document reaches its hook, with the context of the document', async () => {
    const { opta, ground } = await story();
    const of = (word: string) => opta.filter(({ event }) => event === word);
    expect(OPTA.filter((word) => of(word).length === 0)).toEqual([]);
    expect(opta.filter(({ session_id: id, cwd }) => id === '' || cwd !== ground.cwd)).toEqual([]);
    expect(of('tool.pre')[0]).toMatchObject({
      tool_name: 'run_command',
      tool_args: '{"command":"echo fine"}',
    });
    expect(of('tool.post')[0]).toMatchObject({
      tool_name: 'run_command',
      tool_args: '{"command":"echo fine"}',
      tool_result: expect.stringContaining('fine') as string,
    });
    expect(of('error').at(-1)!['error_message']).toContain('no such key');
  });
});
