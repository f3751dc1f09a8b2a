import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { context, deny, resume, set } from 'anyhook';
import { describe, expect, test } from 'vitest';
import { somebody, stage, transcript } from './fixtures/stage.ts';

const stopped = (seen: readonly { kind: string }[]) => seen.findLast(({ kind }) => kind === 'stopped');

describe('a prompt', () => {
  test('a prompt is answered with tool calls in between, and the session file has everything', async () => {
    const ground = stage();
    ground.write('project/note.txt', 'the answer is 42\n');
    const agent = await ground.open([
      { text: 'Let me look.', calls: [{ tool: 'read', input: { path: 'note.txt' } }] },
      { text: 'It says 42.', when: { lastIncludes: 'the answer is 42' } },
    ]);
    await agent.prompt('What does the note say?');
    expect(transcript(agent)).toEqual([
      'user: What does the note say?',
      'assistant: Let me look. | read{"path":"note.txt"}',
      expect.stringContaining('the answer is 42'),
      'assistant: It says 42.',
    ]);
    expect(stopped(ground.seen)).toEqual({ kind: 'stopped', why: 'done' });
    const lines = readFileSync(agent.session.file, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(5);
  });

  test('each event carries the tokens of the session so far', async () => {
    const ground = stage();
    ground.write('project/note.txt', 'the answer is 42\n');
    const seen: unknown[] = [];
    const agent = await ground.open(
      [
        { calls: [{ tool: 'read', input: { path: 'note.txt' } }], usage: { input: 1100, output: 41 } },
        { text: 'It says 42.', usage: { input: 2200, output: 52 } },
      ],
      {
        hooks: {
          hooks: {
            'prompt.submit': ({ usage }) => void seen.push(usage),
            'tool.before': ({ usage }) => void seen.push(usage),
            'turn.stop': ({ usage }) => void seen.push(usage),
          },
        },
      },
    );
    await agent.prompt('What does the note say?');
    expect(seen).toEqual([
      {},
      {
        session: { inputTokens: 1100, outputTokens: 41 },
        last: { inputTokens: 1100, outputTokens: 41 },
        contextTokens: 1141,
      },
      {
        session: { inputTokens: 3300, outputTokens: 93 },
        last: { inputTokens: 2200, outputTokens: 52 },
        contextTokens: 2252,
      },
    ]);
  });

  test('a prompt that a hook refuses reaches neither the model nor the session file', async () => {
    const ground = stage();
    const agent = await ground.open([{ text: 'never said' }], {
      hooks: {
        hooks: {
          'prompt.submit': ({ payload }) =>
            payload.prompt.includes('hunter2') ? deny('a password') : undefined,
        },
      },
    });
    await agent.prompt('my password is hunter2');
    expect(transcript(agent)).toEqual([]);
    expect(readFileSync(agent.session.file, 'utf8')).not.toContain('hunter2');
    expect(stopped(ground.seen)).toEqual({ kind: 'stopped', why: 'halted', detail: 'a password' });
  });

  test('a prompt is followed by its own hook context, and the first one also by the session context', async () => {
    const ground = stage();
    const agent = await ground.open([{ text: 'one' }, { text: 'two' }], {
      hooks: {
        hooks: {
          'session.start': () => context('from the session'),
          'prompt.submit': () => context('from the prompt'),
        },
      },
    });
    await agent.prompt('first');
    await agent.prompt('second');
    expect(transcript(agent)).toEqual([
      'user: first',
      'hidden context: <context>\nfrom the session\n</context>',
      'hidden context: <context>\nfrom the prompt\n</context>',
      'assistant: one',
      'user: second',
      'hidden context: <context>\nfrom the prompt\n</context>',
      'assistant: two',
    ]);
  });

  test('a prompt sent while the agent works is taken between two turns', async () => {
    const ground = stage();
    const agent = await ground.open([
      { calls: [{ tool: 'shell', input: { command: 'sleep 0.2; echo slept' } }] },
      { text: 'both heard', when: { anyIncludes: 'and this too' } },
    ]);
    const first = agent.prompt('start');
    const queued = agent.prompt('and this too');
    await Promise.all([first, queued]);
    expect(transcript(agent).slice(-3)).toEqual([
      expect.stringContaining('slept'),
      'user: and this too',
      'assistant: both heard',
    ]);
  });
});

describe('a tool call', () => {
  test('a tool call that a hook denies does not run, and the model reads the reason', async () => {
    const ground = stage();
    const calls = [{ tool: 'shell', input: { command: 'touch ran' } }];
    const guard = { 'tool.before': () => deny('not today') } as const;
    const agent = await ground.open([{ calls }, { text: 'I see.' }], { hooks: { hooks: guard } });
    await agent.prompt('go');
    expect(transcript(agent)[2]).toBe('shell!: shell was blocked: not today.');
    expect(existsSync(join(ground.cwd, 'ran'))).toBe(false);
    // Control: without the hook the call runs.
    const free = await ground.open([{ calls }, { text: 'Done.' }]);
    await free.prompt('go');
    expect(existsSync(join(ground.cwd, 'ran'))).toBe(true);
  });

  test('a tool call that a hook rewrites runs as rewritten, and the model gets a one-line note unless the settings disable it', async () => {
    const ground = stage();
    const rewrite = { 'tool.before': () => set('input', 'command', 'echo safe') } as const;
    const steps = [{ calls: [{ tool: 'shell', input: { command: 'echo danger' } }] }, { text: 'ok' }];
    const agent = await ground.open(steps, { hooks: { hooks: rewrite } });
    await agent.prompt('go');
    expect(transcript(agent)[2]).toMatch(/safe[^]*\n\[A hook changed this call before it ran: command\.\]$/);
    expect(transcript(agent)[2]).not.toContain('danger');
    const quiet = await ground.open(steps, {
      hooks: { hooks: rewrite },
      settings: { markChanges: false },
    });
    await quiet.prompt('go');
    expect(transcript(quiet)[2]).not.toContain('hook');
  });

  test('permission is asked for the final input of a tool call, and a rule judges that input too', async () => {
    const ground = stage();
    const asked: { input?: unknown }[] = [];
    const agent = await ground.open(
      [{ calls: [{ tool: 'shell', input: { command: 'echo a' } }] }, { text: 'ok' }],
      {
        permission: 'ask',
        person: somebody(['once'], asked),
        hooks: { hooks: { 'tool.before': () => set('input', 'command', 'echo b') } },
      },
    );
    await agent.prompt('go');
    expect(asked.map(({ input }) => input)).toEqual([{ command: 'echo b' }]);
    const ruled = await ground.open(
      [{ calls: [{ tool: 'shell', input: { command: 'echo a' } }] }, { text: 'ok' }],
      {
        settings: { permission: { mode: 'allow', allow: ['shell'], ask: [], deny: ['shell(rm *)'] } },
        hooks: { hooks: { 'tool.before': () => set('input', 'command', 'cd / && rm -rf x') } },
      },
    );
    await ruled.prompt('go');
    expect(transcript(ruled)[2]).toBe('shell!: shell was blocked: the rule shell(rm *) forbids it.');
  });

  test('a tool call that needs consent does not run without a user, and the message says how to allow it', async () => {
    const ground = stage();
    const agent = await ground.open(
      [{ calls: [{ tool: 'shell', input: { command: 'touch ran' } }] }, { text: 'ok' }],
      { permission: 'ask' },
    );
    await agent.prompt('go');
    expect(transcript(agent)[2]).toContain("it needs the user's consent, but there is no user to ask");
    expect(existsSync(join(ground.cwd, 'ran'))).toBe(false);
  });

  test('a tool call answered with always is not asked about again', async () => {
    const ground = stage();
    const asked: unknown[] = [];
    const calls = [{ tool: 'shell', input: { command: 'echo *' } }];
    const agent = await ground.open([{ calls }, { calls }, { text: 'ok' }], {
      permission: 'ask',
      person: somebody(['always'], asked),
    });
    await agent.prompt('go');
    expect(asked).toHaveLength(1);
    expect(transcript(agent).filter((line) => line.startsWith('shell:'))).toHaveLength(2);
  });

  test('a tool call whose input a hook made invalid does not run', async () => {
    const ground = stage();
    const agent = await ground.open(
      [{ calls: [{ tool: 'shell', input: { command: 'echo a' } }] }, { text: 'ok' }],
      {
        hooks: { hooks: { 'tool.before': () => set('input', 'command', 7) } },
      },
    );
    await agent.prompt('go');
    expect(transcript(agent)[2]).toContain('a hook made the input of the call invalid: command');
  });

  test('a call of an unknown tool is an error that the model can correct', async () => {
    const ground = stage();
    const agent = await ground.open([{ calls: [{ tool: 'teleport', input: {} }] }, { text: 'ok' }]);
    await agent.prompt('go');
    expect(transcript(agent)[2]).toContain("There is no tool 'teleport'");
  });
});

describe('stopping', () => {
  test('a stop hook resumes the agent with its reason at most eight times in a row', async () => {
    const ground = stage();
    const steps = Array.from({ length: 12 }, (_, n) => ({ text: `answer ${n}` }));
    const agent = await ground.open(steps, {
      hooks: { hooks: { 'turn.stop': () => resume('run the tests') } },
    });
    await agent.prompt('go');
    expect(transcript(agent).filter((line) => line === 'hidden stop-hook: run the tests')).toHaveLength(8);
    expect(stopped(ground.seen)).toEqual({ kind: 'stopped', why: 'done' });
  });

  test('open todos remind the model at most three times', async () => {
    const ground = stage();
    const agent = await ground.open([
      { calls: [{ tool: 'todo', input: { todos: [{ content: 'test it', status: 'pending' }] } }] },
      { text: 'done', repeat: true },
    ]);
    await agent.prompt('go');
    expect(transcript(agent).filter((line) => line.startsWith('hidden todo-reminder'))).toHaveLength(3);
  });

  test('an abort in the middle of a stream keeps the partial answer and a usable session', async () => {
    const ground = stage();
    const agent = await ground.open([
      { text: 'one two three four five six seven', pieceMs: 40 },
      { text: 'Welcome back.' },
    ]);
    const isSaid = new Promise<void>((resolve) =>
      agent.listen((happening) => happening.kind === 'text' && resolve()),
    );
    const running = agent.prompt('go');
    await isSaid;
    agent.abort();
    await running;
    expect(stopped(ground.seen)).toEqual({ kind: 'stopped', why: 'aborted' });
    expect(transcript(agent)[1]).toMatch(/^assistant: one/);
    await agent.prompt('again');
    expect(transcript(agent).at(-1)).toBe('assistant: Welcome back.');
  });

  test('an abort during a tool call records a result for it', async () => {
    const ground = stage();
    const agent = await ground.open([
      {
        calls: [
          { tool: 'shell', input: { command: 'sleep 30' } },
          { tool: 'shell', input: { command: 'touch second' } },
        ],
      },
      { text: 'Back.' },
    ]);
    const isRunning = new Promise<void>((resolve) =>
      agent.listen((happening) => happening.kind === 'tool' && setTimeout(resolve, 100)),
    );
    const running = agent.prompt('go');
    await isRunning;
    agent.abort();
    await running;
    expect(transcript(agent).slice(2, 4)).toEqual([
      expect.stringMatching(/^shell!: .*interrupted/),
      expect.stringMatching(/^shell!: .*interrupted/),
    ]);
    expect(existsSync(join(ground.cwd, 'second'))).toBe(false);
    await agent.prompt('go on');
    expect(transcript(agent).at(-1)).toBe('assistant: Back.');
  });

  test('the agent stops after the maximum number of turns in the settings', async () => {
    const ground = stage();
    const agent = await ground.open([{ calls: [{ tool: 'glob', input: { pattern: '*' } }], repeat: true }], {
      maxTurns: 3,
    });
    await agent.prompt('go');
    expect(stopped(ground.seen)).toEqual({ kind: 'stopped', why: 'max-turns', detail: '3 turns' });
  });
});

describe('trouble with the model', () => {
  test('429, a server error and a cut stream are retried, and the full answer replaces the partial one', async () => {
    const ground = stage();
    const agent = await ground.open([
      { error: { status: 429, message: 'slow down', retryAfterMs: 5 } },
      { error: { status: 503, message: 'overloaded' } },
      { text: 'half an ans', cut: true },
      { text: 'A whole answer.' },
    ]);
    await agent.prompt('go');
    expect(transcript(agent)).toEqual(['user: go', 'assistant: A whole answer.']);
    expect(ground.seen.flatMap((one) => (one.kind === 'retrying' ? [[one.attempt, one.inMs]] : []))).toEqual([
      [1, 5],
      [2, 2],
      [3, 4],
    ]);
  });

  test('an invalid key is not retried and produces a clear error', async () => {
    const ground = stage();
    const agent = await ground.open([{ error: { status: 401, message: 'invalid x-api-key' } }]);
    await agent.prompt('go');
    expect(stopped(ground.seen)).toEqual({
      kind: 'stopped',
      why: 'error',
      detail: '401: invalid x-api-key. The key is wrong or missing: check the variable of this provider.',
    });
  });

  test('a stream rule stops the answer, adds its text and asks again once', async () => {
    const ground = stage();
    const agent = await ground.open(
      [{ text: 'I will use any here and go on talking.' }, { text: 'I use unknown, not any.' }],
      {
        settings: { streamRules: [{ name: 'no-any', pattern: '\\bany\\b', text: 'Never use any.' }] },
      },
    );
    await agent.prompt('go');
    expect(transcript(agent)).toEqual([
      'user: go',
      expect.stringMatching(/^hidden rule: <rule>\nNever use any\.\n<\/rule>/),
      'assistant: I use unknown, not any.',
    ]);
  });
});

describe('a subagent', () => {
  test('a subagent writes its own file and answers with its last message, and a resume continues it', async () => {
    const ground = stage();
    const stops: unknown[] = [];
    const agent = await ground.open(
      {
        main: [
          { calls: [{ tool: 'task', input: { description: 'look', prompt: 'find it', type: 'explore' } }] },
          { text: 'Found by my helper.', when: { lastIncludes: 'it is in src' } },
        ],
        'task:explore': [{ text: 'dunno' }, { text: 'it is in src', when: { lastIncludes: 'look harder' } }],
      },
      {
        hooks: {
          hooks: {
            'subagent.stop': ({ ids, payload }) => {
              stops.push([typeof ids.agent, payload.active, payload.lastMessage]);
              return payload.lastMessage === 'dunno' ? resume('look harder') : undefined;
            },
          },
        },
      },
    );
    await agent.prompt('go');
    expect(transcript(agent).at(-1)).toBe('assistant: Found by my helper.');
    expect(stops).toEqual([
      ['string', false, 'dunno'],
      ['string', true, 'it is in src'],
    ]);
    expect(agent.sessions()).toHaveLength(1);
  });

  test('a subagent that a hook refuses is an error for the model', async () => {
    const ground = stage();
    const agent = await ground.open(
      {
        main: [{ calls: [{ tool: 'task', input: { description: 'x', prompt: 'y' } }] }, { text: 'ok' }],
        task: [],
      },
      { hooks: { hooks: { 'subagent.start': () => deny('no helpers') } } },
    );
    await agent.prompt('go');
    expect(transcript(agent)[2]).toContain('the subagent was not started: no helpers');
  });
});
