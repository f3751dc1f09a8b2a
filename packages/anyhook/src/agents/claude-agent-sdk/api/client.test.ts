import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { never } from './fixtures/streams.ts';
import {
  Client,
  type ClientOptions,
  CliExitedError,
  CliNotFoundError,
  blockBashPatternHook,
  type HookJSONOutput,
  HooksUnsupportedError,
  type Message,
  type PermissionAnswer,
  type PermissionAsked,
  query,
} from './index.ts';

const FAKE_CLI = fileURLToPath(new URL('./fixtures/fake-cli.mjs', import.meta.url));
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Starts a real process with the protocol. Its log contains what it received. */
function cli(part: string, options: ClientOptions = {}): { options: ClientOptions; log: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
  made.push(folder);
  const file = join(folder, 'log');
  return {
    options: {
      pathToClaudeCodeExecutable: FAKE_CLI,
      cwd: folder,
      env: { PATH: process.env['PATH'], FAKE_CLI: part, FAKE_LOG: file },
      ...options,
    },
    log: () => readFileSync(file, 'utf8').trim().split('\n'),
  };
}
async function all(messages: AsyncIterable<Message>): Promise<Message[]> {
  const heard: Message[] = [];
  for await (const message of messages) heard.push(message);
  return heard;
}
const nothing = (): HookJSONOutput => ({});

describe('query', () => {
  test('query starts the CLI, registers the hooks, yields its messages, and a deny stops the tool', async () => {
    const { options, log } = cli('tool', {
      hooks: { PreToolUse: { matcher: 'Bash', hooks: [blockBashPatternHook(['touch'])] }, Stop: nothing },
      args: ['--model', 'x'],
    });
    const heard = await all(query('do it', options));
    expect(heard.map(({ type }) => type)).toEqual(['assistant', 'result']);
    expect(heard.at(-1)).toMatchObject({ result: 'blocked' });
    const [args, initialize, ...rest] = log();
    expect(args).toBe('args --input-format stream-json --output-format stream-json --verbose --model x');
    expect(JSON.parse(initialize!.slice('initialize '.length))).toEqual({
      subtype: 'initialize',
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_1'] }],
        Stop: [{ matcher: null, hookCallbackIds: ['hook_2'] }],
      },
    });
    expect(rest.filter((line) => line.startsWith('answer'))).toHaveLength(2);
    expect(rest.at(-1)).toBe('input closed');
  });

  test('the same tool runs without the deny', async () => {
    const { options } = cli('tool', { hooks: { PreToolUse: nothing } });
    expect((await all(query('do it', options))).at(-1)).toMatchObject({ result: 'ran' });
  });

  test('query keeps the input open while background work can still fire a hook', async () => {
    let calls = 0;
    const { options } = cli('background', { hooks: { PreToolUse: () => (calls++, {}) } });
    const heard = await all(query('do it', options));
    expect(heard.filter(({ type }) => type === 'result').map(({ result }) => result)).toEqual([
      'first',
      'second 1',
    ]);
    expect(calls).toBe(1);
  });

  test('query without hooks closes the input as soon as all prompts are sent', async () => {
    const { options, log } = cli('silent');
    expect(await all(query('do it', options))).toEqual([]);
    expect(log().at(-1)).toBe('input closed');
  });

  test('an abort cancels the running hook, ends the process and ends the iteration with its reason', async () => {
    const stop = new AbortController();
    let signal: AbortSignal | undefined;
    const { options, log } = cli('never-ends', {
      signal: stop.signal,
      hooks: { PreToolUse: (_input, _id, context) => ((signal = context.signal), never()) },
    });
    const running = all(query('do it', options)).catch((error: unknown) => error);
    await vi.waitFor(() => expect(signal).toBeDefined(), { timeout: 10_000 });
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await running).toBe(reason);
    expect(signal!.aborted).toBe(true);
    expect(log().at(-1)).toMatch(/terminated|input closed/);
  });

  test('query with an aborted signal starts nothing', async () => {
    const { options, log } = cli('tool', { signal: AbortSignal.abort(new Error('no')) });
    await expect(all(query('do it', options))).rejects.toThrow('no');
    expect(log).toThrow();
  });

  test('leaving the loop ends the process', async () => {
    const { options, log } = cli('tool', { hooks: { Stop: () => never() } });
    for await (const message of query('do it', options)) if (message.type === 'assistant') break;
    expect(log().at(-1)).toMatch(/terminated|input closed/);
  });

  test.each(['answers', 'merges'])('each of several prompts gets its own result (%s)', async (part) => {
    const { options } = cli(part);
    async function* prompts() {
      yield 'one';
      yield { type: 'user' as const, message: { role: 'user', content: 'two' } };
      yield 'three';
    }
    const heard = await all(query(prompts(), options));
    expect(heard.flatMap(({ type, result }) => (type === 'result' ? [result] : []))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });
});

describe('query as the published SDK has it', () => {
  test('query without hooks yields init, assistant and result, although the input is closed at once', async () => {
    const { options, log } = cli('answers');
    const heard = await all(query({ prompt: 'hi', options }));
    expect(heard.map(({ type, subtype }) => [type, subtype])).toEqual([
      ['system', 'init'],
      ['assistant', undefined],
      ['result', 'success'],
    ]);
    expect(log().at(-1)).toBe('input closed');
  });

  test('query options become arguments and fields of initialize', async () => {
    const { options, log } = cli('answers', {});
    await all(
      query({
        prompt: 'hi',
        options: {
          ...options,
          model: 'm',
          permissionMode: 'plan',
          allowedTools: ['Read', 'Bash(git *)'],
          maxTurns: 3,
          continue: true,
          forkSession: false,
          additionalDirectories: ['/a', '/b'],
          mcpServers: { one: { command: 'x' }, own: { type: 'sdk', name: 'own', instance: {} } },
          systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' },
          disallowedTools: [],
          settingSources: [],
          tools: [],
          persistSession: false,
          extraArgs: { 'debug-file': 'f', verbose: null, 'replay-user-messages': '' },
        },
      }),
    );
    const [args, initialize] = log();
    expect(args).toBe(
      'args --input-format stream-json --output-format stream-json --verbose --model=m --permission-mode=plan ' +
        '--max-turns=3 --allowedTools=Read,Bash(git *) --setting-sources= --tools  ' +
        '--continue --no-session-persistence --add-dir=/a --add-dir=/b ' +
        '--mcp-config {"mcpServers":{"one":{"command":"x"}}} --debug-file=f --verbose --replay-user-messages ',
    );
    expect(initialize).toBe(
      'initialize {"subtype":"initialize","hooks":null,"appendSystemPrompt":"Be brief."}',
    );
  });

  test('canUseTool is called, keeps the input open, and its answer reaches the CLI', async () => {
    const asked: unknown[] = [];
    const ask = async (answer: PermissionAnswer | null) => {
      const { options, log } = cli('permission');
      const canUseTool = async (tool: string, input: Record<string, unknown>, about: PermissionAsked) => {
        asked.push([tool, input, about.toolUseID, about.signal instanceof AbortSignal]);
        return answer;
      };
      const heard = await all(query({ prompt: 'hi', options: { ...options, canUseTool } }));
      const said = log().find((line) => line.startsWith('permission '))!;
      return [heard.at(-1)?.result, JSON.parse(said.slice('permission '.length))];
    };
    expect(await ask({ behavior: 'allow' })).toEqual([
      'allow',
      { behavior: 'allow', updatedInput: { command: 'ls' }, toolUseID: 'toolu_1' },
    ]);
    expect(await ask({ behavior: 'deny', message: 'no' })).toEqual([
      'deny',
      { behavior: 'deny', message: 'no', toolUseID: 'toolu_1' },
    ]);
    expect((await ask(null))[0]).toBe('deny');
    expect(asked[0]).toEqual(['Bash', { command: 'ls' }, 'toolu_1', true]);
  });

  test('abortController ends the query', async () => {
    const abortController = new AbortController();
    const { options } = cli('silent', { hooks: { Stop: nothing } });
    const running = all(query({ prompt: 'hi', options: { ...options, abortController } }));
    setTimeout(() => abortController.abort(new Error('enough')), 300);
    await expect(running).rejects.toThrow('enough');
  });

  test('interrupt ends the turn, and its result is yielded', async () => {
    const { options } = cli('interrupted', { hooks: { Stop: nothing } });
    const asked = query({ prompt: 'hi', options });
    const heard: unknown[] = [];
    for await (const message of asked) {
      heard.push(message.subtype);
      if (message.subtype === 'init') await asked.interrupt();
    }
    expect(heard).toEqual(['init', 'success']);
  });
});

describe('CLI failures', () => {
  const problem = async (options: ClientOptions) =>
    all(query('x', { hooks: { Stop: nothing }, ...options })).catch((error: unknown) => error as Error);

  test('a missing binary is reported with a remedy', async () => {
    const error = await problem({ pathToClaudeCodeExecutable: '/nowhere/claude' });
    expect(error).toBeInstanceOf(CliNotFoundError);
    expect((error as Error).message).toBe(
      'cannot start /nowhere/claude: program not found. Install Claude Code, or set pathToClaudeCodeExecutable.',
    );
    expect(String(await problem({ ...cli('tool').options, cwd: '/nowhere' }))).toContain(
      'the folder /nowhere does not exist',
    );
  });

  test('an early exit is reported with exit code and stderr', async () => {
    const error = await problem(cli('exits').options);
    expect(error).toBeInstanceOf(CliExitedError);
    expect(error).toMatchObject({ exitCode: 1, stderr: 'error: unknown option --input-format' });
    expect((error as Error).message).toContain(
      'ended with exit code 1 before it answered initialize. stderr: error: unknown option',
    );
  });

  test('an exit during a turn is an error too', async () => {
    const error = await problem(cli('dies-in-turn').options);
    expect(error).toMatchObject({ name: 'CliExitedError', exitCode: 9 });
    expect((error as Error).message).toContain('before it gave a result');
  });

  test.each([
    ['refuses', 'Unknown request subtype: initialize', 60_000],
    ['mute', 'no answer in 300 ms', 300],
    ['old', 'hooks_applied is false', 60_000],
  ])('a version without hooks (%s) is a clear error', async (part, said, requestTimeoutMs) => {
    const error = await problem(cli(part, { requestTimeoutMs }).options);
    expect(error).toBeInstanceOf(HooksUnsupportedError);
    expect((error as Error).message).toContain(said);
  });
});

describe('Client', () => {
  test('Client connects once, accepts several prompts, and closes', async () => {
    const { options, log } = cli('tool', { hooks: { PreToolUse: nothing } });
    const client = new Client(options);
    expect(() => client.send('too early')).toThrow('call connect() first');
    expect(await client.connect()).toMatchObject({ hooks_applied: true });
    await expect(client.connect()).rejects.toThrow('a client connects once');
    const messages = client[Symbol.asyncIterator]();
    for (const prompt of ['one', 'two']) {
      client.send(prompt);
      const types = [(await messages.next()).value?.type, (await messages.next()).value?.type];
      expect(types).toEqual(['assistant', 'result']);
    }
    await client.close();
    expect((await messages.next()).done).toBe(true);
    expect(log().at(-1)).toBe('input closed');
  });

  test('Client lists invalid hooks in its problems and registers the others', () => {
    const client = new Client({ hooks: { PreToolUze: nothing, Stop: nothing } as never });
    expect(client.problems.map(({ code, remedy }) => [code, remedy])).toEqual([
      ['unknown-event', 'Did you mean "PreToolUse"?'],
    ]);
  });

  test('a program that forgets to close ends by itself, and so does its CLI', async () => {
    const { options, log } = cli('tool');
    const program = fileURLToPath(new URL('./fixtures/unclosed-client.mjs', import.meta.url));
    const { stdout, exitCode } = await execa('node', [program, FAKE_CLI], {
      env: options.env as NodeJS.ProcessEnv,
      timeout: 60_000,
    });
    expect([stdout, exitCode]).toEqual(['done', 0]);
    await vi.waitFor(() => expect(log().at(-1)).toBe('input closed'), { timeout: 10_000 });
  });
});
