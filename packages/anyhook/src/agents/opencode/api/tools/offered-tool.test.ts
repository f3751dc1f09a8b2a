import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool as theirs } from '@opencode-ai/plugin/tool';
import { afterEach, describe, expect, test } from 'vitest';
import type { z as zod3 } from 'zod/v3';
import type { Fields } from '../../../../events/effects.ts';
import type { ToolCallScene } from '../../../../events/offers.ts';
import type { Services } from '../../../../events/services.ts';
import type { AnyToolDefinition, ToolContext } from '../types/index.ts';
import { offeredTool } from './offered-tool.ts';
import { lastOfEachName, offeredTools } from './offered-tools.ts';
import { tool } from './tool.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const origin = { layer: 'project', file: '/p/.opencode/plugin/a.ts', line: 1 } as const;
function ground(services: Services = {}) {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-tools-'));
  folders.push(root);
  return { directory: '/p/sub', worktree: '/p', services, folder: join(root, 'outputs') };
}
const scene = (more: Partial<ToolCallScene> = {}): ToolCallScene => ({
  session: 'ses_1',
  message: 'msg_1',
  agent: 'plan',
  call: 'call_1',
  cwd: '/p/sub',
  signal: new AbortController().signal,
  ...more,
});
/** Zod 3, as bundled by a plugin. */
const require = createRequire(import.meta.url);
const { z: z3 } = createRequire(require.resolve('opencode-skills'))('zod') as { z: typeof zod3 };

const PARAMETERS = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, description: 'whom to greet' },
    times: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
    loud: { type: 'boolean' },
  },
  required: ['name'],
  additionalProperties: false,
};
const greet = async ({ name, times }: { name: string; times: number }) => `hi ${name} `.repeat(times).trim();
const s = tool.schema;
const t = theirs.schema;
const GREETINGS: Record<string, AnyToolDefinition> = {
  'our zod': tool({
    description: 'greets',
    args: {
      name: s.string().min(1).describe('whom to greet'),
      times: s.number().int().min(1).max(9).default(2),
      loud: s.boolean().optional(),
    },
    execute: greet,
  }),
  'the zod of @opencode-ai/plugin': theirs({
    description: 'greets',
    args: {
      name: t.string().min(1).describe('whom to greet'),
      times: t.number().int().min(1).max(9).default(2),
      loud: t.boolean().optional(),
    },
    execute: greet,
  }),
  'zod 3': {
    description: 'greets',
    args: {
      name: z3.string().min(1).describe('whom to greet'),
      times: z3.number().int().min(1).max(9).default(2),
      loud: z3.boolean().optional(),
    },
    execute: greet,
  },
};

describe.each(Object.entries(GREETINGS))('a tool written with %s', (_, definition) => {
  const offered = () => offeredTool('greet', definition, origin, ground());

  test('a tool returns its arguments as JSON Schema', () => {
    const { name, description, parameters } = offered();
    expect({ name, description, parameters }).toEqual({
      name: 'greet',
      description: 'greets',
      parameters: PARAMETERS,
    });
  });

  test('a tool receives validated arguments with defaults, and wrong ones are rejected before it runs', async () => {
    expect(await offered().execute({ name: 'Ada' }, scene())).toEqual({
      output: 'hi Ada hi Ada',
      metadata: { truncated: false },
    });
    await expect(offered().execute({ name: '', times: 'many' }, scene())).rejects.toThrow(
      /The greet tool was called with invalid arguments: name: .*; times: .*\nPlease rewrite/,
    );
  });
});

test('zod 3 types of every kind are converted to JSON Schema', () => {
  const { parameters } = offeredTool(
    'all',
    {
      description: '',
      args: {
        pick: z3.enum(['a', 'b']).nullable(),
        list: z3.array(z3.union([z3.string(), z3.literal(1)])).max(3),
        deep: z3.object({ on: z3.boolean(), off: z3.record(z3.string()).optional() }),
        made: z3.string().transform(Number),
        any: z3.any(),
      },
      execute: async () => '',
    },
    origin,
    ground(),
  );
  expect(parameters).toEqual({
    type: 'object',
    properties: {
      pick: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
      list: { type: 'array', items: { anyOf: [{ type: 'string' }, { const: 1 }] }, maxItems: 3 },
      deep: {
        type: 'object',
        properties: {
          on: { type: 'boolean' },
          off: { type: 'object', additionalProperties: { type: 'string' } },
        },
        required: ['on'],
      },
      made: { type: 'string' },
      any: {},
    },
    required: ['pick', 'list', 'deep', 'made'],
    additionalProperties: false,
  });
});

describe('a tool', () => {
  const seen: { args: Fields; context: ToolContext }[] = [];
  const watching = (execute: AnyToolDefinition['execute']): AnyToolDefinition => ({
    description: 'd',
    args: { a: s.string().optional() },
    execute: (args: Fields, context) => {
      seen.push({ args, context });
      return execute(args, context);
    },
  });

  test('a tool receives the context of its call, and its progress reports arrive', async () => {
    const updates: unknown[] = [];
    const { signal } = new AbortController();
    const definition = watching(async (_, context) => {
      context.metadata({ title: 'half', metadata: { done: 1 } });
      return {
        title: 'T',
        output: 'o',
        metadata: { m: 1 },
        attachments: [{ type: 'file', mime: 'text/plain', url: 'data:,x' }],
      };
    });
    const outcome = await offeredTool('t', definition, origin, ground()).execute(
      { a: 'x', extra: true },
      scene({ signal, progress: (update) => updates.push(update) }),
    );
    const { args, context } = seen.pop()!;
    const { metadata: _m, ask: _a, ...plain } = context;
    expect(plain).toEqual({
      sessionID: 'ses_1',
      messageID: 'msg_1',
      agent: 'plan',
      callID: 'call_1',
      directory: '/p/sub',
      worktree: '/p',
      abort: signal,
    });
    expect([args, updates]).toEqual([{ a: 'x', extra: true }, [{ title: 'half', metadata: { done: 1 } }]]);
    expect(outcome).toEqual({
      title: 'T',
      output: 'o',
      metadata: {
        m: 1,
        truncated: false,
        attachments: [{ type: 'file', mime: 'text/plain', url: 'data:,x' }],
      },
    });
  });

  test('a tool that ignores its signal is not awaited', async () => {
    const stop = new AbortController();
    const running = offeredTool(
      't',
      watching(() => new Promise(() => {})),
      origin,
      ground(),
    );
    const call = running.execute({}, scene({ signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(call).rejects.toThrow('enough');
    await expect(running.execute({}, scene({ signal: stop.signal }))).rejects.toThrow('enough');
  });

  test('long tool output is cut, and the complete output is in a private file', async () => {
    const terms = ground();
    const saying = (text: string) =>
      offeredTool(
        't',
        watching(async () => text),
        origin,
        terms,
      ).execute({}, scene());
    expect(await saying('x\n'.repeat(1999))).toMatchObject({ metadata: { truncated: false } });
    for (const long of [`${'é'.repeat(40_000)}end`, 'line\n'.repeat(3000)]) {
      const { output, metadata } = await saying(long);
      const file = String(metadata!['outputPath']);
      expect(metadata).toEqual({ truncated: true, outputPath: file });
      expect(output).toContain(`the whole output is in ${file}`);
      expect(Buffer.byteLength(output)).toBeLessThan(52_000);
      expect(output).not.toContain('\ufffd');
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([long, 0o600]);
      expect(statSync(terms.folder).mode & 0o777).toBe(0o700);
    }
  });

  test('a tool that returns no text gets an error', async () => {
    const broken = offeredTool(
      't',
      watching(async () => undefined as never),
      origin,
      ground(),
    );
    await expect(broken.execute({}, scene())).rejects.toThrow('The t tool returned no text');
  });

  test('a permission request is refused by no answer, by no, and if nobody can be asked', async () => {
    const answers = ['Allow once', 'Always allow in this session', undefined, 'Reject'];
    const asked: string[] = [];
    const select = async (title: string) => (asked.push(title), answers.shift());
    const ui = { select, confirm: async () => false, input: async () => undefined, notify() {} };
    const definition = watching(async (args, context) => {
      await context.ask({
        permission: 'deploy',
        patterns: [String(args['a'])],
        always: ['prod*'],
        metadata: {},
      });
      return 'ran';
    });
    const asking = offeredTool('t', definition, origin, ground({ ui }));
    const outcomes: unknown[] = [];
    for (const a of ['prod', 'prod', 'prod-2', 'test', 'test'])
      outcomes.push(await asking.execute({ a }, scene()).then(({ output }) => output, String));
    expect(outcomes).toEqual([
      'ran',
      'ran',
      'ran',
      'Error: The user rejected deploy: test',
      'Error: The user rejected deploy: test',
    ]);
    expect(asked).toHaveLength(4);
    await expect(offeredTool('t', definition, origin, ground()).execute({ a: 'x' }, scene())).rejects.toThrow(
      "needs the host service 'ui'",
    );
  });
});

describe('the tools of several plugins', () => {
  test('an invalid definition is a problem by name, and the others stay', () => {
    const definitions = {
      good: GREETINGS['our zod'],
      empty: { description: 'd' },
      odd: { description: 'd', args: { a: 'string' }, execute: async () => '' },
      list: { description: 'd', args: [1], execute: async () => '' },
      bare: { description: 'd', execute: async () => '' },
    };
    const { tools, problems } = offeredTools(definitions, origin, ground());
    expect(tools.map(({ name }) => name)).toEqual(['good', 'bare']);
    expect(problems.map(({ key, message }) => `${key}: ${message}`)).toEqual([
      "tool.empty: the tool 'empty' has no function 'execute'",
      'tool.odd: args.a must be a zod type, not string (string)',
      'tool.list: args must be an object with one zod field for each argument, not a list',
    ]);
  });

  test('the last tool of one name wins, and a warning names the replaced one', () => {
    const first = offeredTool('greet', GREETINGS['our zod']!, { ...origin, file: '/first.ts' }, ground());
    const last = offeredTool('greet', GREETINGS['our zod']!, origin, ground());
    const { tools, problems } = lastOfEachName([first, last]);
    expect(tools).toEqual([last]);
    expect(problems).toEqual([
      {
        code: 'duplicate-key',
        file: origin.file,
        line: 1,
        key: 'tool.greet',
        message: 'replaces the tool of the same name from /first.ts',
        severity: 'warning',
      },
    ]);
  });
});
