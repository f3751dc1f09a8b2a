/**
 * For every agent and every tool name, a guard of any dialect that covers the call must run, see the call
 * with its own names, and have its answer converted back.
 */

import { describe, expect, test } from 'vitest';
import { DIALECTS, toolColumns } from '../dialects.ts';
import { actsOf } from '../events/acts.ts';
import type { Dialect } from '../events/dialect.ts';
import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Reply, Request } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import { type Lexicon, makeLexicon } from '../events/lexicon.ts';
import { TOOLS, type ToolColumn, type ToolName } from '../events/tools.ts';
import { inHostWords, makeEventOf } from '../library/event-of.ts';
import { makeEngine } from './engine.ts';
import { FORMATS, RECORDED, type SampleCall } from './fixtures/guards.ts';

const PATCH = [
  '*** Begin Patch',
  '*** Add File: /p/.env',
  '+KEY=1',
  '*** Update File: /p/readme.md',
  '@@',
  '-old',
  '+new',
  '*** End Patch',
].join('\n');
/** One call of each tool, and an argument that a guard changes. */
const CALLS: Readonly<Partial<Record<ToolName, readonly [input: Fields, key: string, to: unknown]>>> = {
  shell: [{ command: 'rm -rf build' }, 'command', 'echo no'],
  read: [{ path: '/p/.env' }, 'path', '/p/other'],
  write: [{ path: '/p/.env', content: 'KEY=1\n' }, 'path', '/p/other'],
  edit: [{ path: '/p/.env', old: 'a', new: 'b' }, 'path', '/p/other'],
  'multi-edit': [
    {
      path: '/p/.env',
      edits: [
        { old: 'a', new: 'b' },
        { old: 'c', new: 'd' },
      ],
    },
    'edits',
    [{ old: 'a', new: 'z' }],
  ],
  patch: [{ patch: PATCH }, 'patch', PATCH.replace('KEY=1', 'KEY=2')],
  editor: [{ action: 'create', path: '/p/.env', content: 'KEY=1\n' }, 'path', '/p/other'],
  fetch: [{ url: 'https://example.org/', prompt: 'sum up' }, 'prompt', 'say less'],
  task: [{ prompt: 'look around' }, 'prompt', 'stay'],
};
/** Calls that their agents name an edit although they contain several. */
const EDITS: readonly { tool: ToolName; call: SampleCall; input: Fields; changed: Fields }[] = [
  {
    tool: 'multi-edit',
    call: {
      tool: 'edit',
      input: {
        path: '/p/.env',
        edits: [
          { oldText: 'a', newText: 'b' },
          { oldText: 'c', newText: 'd' },
        ],
      },
    },
    input: CALLS['multi-edit']![0],
    changed: {
      edits: [
        { oldText: 'a', newText: 'b' },
        { oldText: 'c', newText: 'z' },
      ],
    },
  },
  {
    tool: 'multi-edit',
    call: {
      tool: 'edit',
      input: { path: '/p/.env', oldText: 'a', newText: 'b', edits: [{ oldText: 'c', newText: 'd' }] },
    },
    input: { path: '/p/.env', old: 'a', new: 'b', edits: [{ old: 'c', new: 'd' }] },
    changed: { oldText: 'a', newText: 'b', edits: [{ oldText: 'c', newText: 'z' }] },
  },
  {
    tool: 'patch',
    call: { tool: 'edit', input: { input: PATCH } },
    input: { patch: PATCH },
    changed: { input: PATCH.replace('+new', '+z') },
  },
];
const MCP = { tool: 'mcp__git__push', input: { branch: 'main' } };

/** Our arguments with the n-th name of a column for each. Independent of the code under test. */
function inWordsOf(column: ToolColumn, tool: ToolName, input: Fields, nth = 0): Fields {
  const names = (of: ToolName, key: string): string => {
    const all = (column[of]?.args as Readonly<Record<string, readonly string[]>> | undefined)?.[key] ?? [key];
    return all[nth] ?? all[0]!;
  };
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      names(tool, key),
      key === 'edits' && column.edit !== null
        ? (value as Fields[]).map((edit) =>
            Object.fromEntries(Object.entries(edit).map(([k, v]) => [names('edit', k), v])),
          )
        : value,
    ]),
  );
}

interface Case {
  readonly sender: Dialect;
  readonly tool: ToolName | undefined;
  readonly call: SampleCall;
  readonly input: Fields;
}
const CASES: readonly Case[] = DIALECTS.flatMap((sender) => [
  { sender, tool: undefined, call: MCP, input: MCP.input },
  ...(sender.name === 'oh-my-pi'
    ? EDITS.map(({ tool, call, input }) => ({ sender, tool, call, input }))
    : []),
  ...(Object.keys(CALLS) as ToolName[]).flatMap((tool) => {
    const words = sender.tools[tool];
    if (words === null || words.as !== undefined) return [];
    const [input] = CALLS[tool]!;
    const spellings = Math.max(1, ...Object.values(words.args).map((names) => names.length));
    return words.names.flatMap((name) =>
      Array.from({ length: spellings }, (_, nth) => ({
        sender,
        tool,
        input,
        call: { tool: name, input: inWordsOf(sender.tools, tool, input, nth) },
      })),
    );
  }),
]);

const CODE: ReadonlySet<string> = new Set(['claude-agent-sdk', 'opencode', 'oh-my-pi']);
const guardOf = (dialect: Dialect, names: readonly string[]): Hook => ({
  id: 'guard',
  dialect: dialect.name,
  on: dialect.words['tool.before']![0]!,
  origin: { layer: 'user', file: 'hooks', line: 1 },
  roles: ['guard', 'mutator'],
  match: { kind: 'names', names },
  run: CODE.has(dialect.name)
    ? { kind: 'call', fn: () => undefined }
    : { kind: 'command', run: { line: 'true' }, env: [] },
  background: false,
  shadow: false,
  timeoutMs: 1000,
});

/** Reads a document with its dialect, runs a guard on it, and converts the result back. */
async function fired(
  { sender, call }: Case,
  guard: Hook,
  answer: (seen: SampleCall) => Reply,
  lexicon = LEXICON,
  native = FORMATS[sender.name]!.toPayload(call),
) {
  const seen: SampleCall[] = [];
  const { name, payload, ids, scene, raw } = sender.payload.read(structuredClone(native));
  const event: Event = makeEventOf({ cwd: '/p', lexicon })({ name, payload, ids, scene, raw } as never);
  const engine = makeEngine({
    dialects: DIALECTS,
    hooks: [guard],
    services: {},
    spellings: lexicon.spellings,
    run(_hook: Hook, request: Request) {
      seen.push(FORMATS[guard.dialect]!.fromRequest(request));
      return answer(seen.at(-1)!);
    },
  });
  const ruling = await engine.fire(event);
  return { seen, verdict: ruling?.verdict ?? 'none', payload: ruling && inHostWords(ruling, event).payload };
}
const SILENCE: Readonly<Record<'code' | 'command', Reply>> = {
  code: { kind: 'returned', value: {}, args: [] },
  command: { kind: 'exited', code: 0, stdout: '', stderr: '' },
};
const COLUMNS = toolColumns();
const LEXICON = makeLexicon(COLUMNS);

/** Guards of one dialect that cover the call: for the tool itself, or for its acts. */
function guardsFor(guard: Dialect, { tool, call, input }: Case): { names: string[]; about: Fields[] }[] {
  if (tool === undefined) return [{ names: [call.tool], about: [call.input] }];
  const own = guard.tools[tool];
  const whole =
    own === null || own.as !== undefined
      ? []
      : own.names.map((name) => ({ names: [name], about: [inWordsOf(guard.tools, tool, input)] }));
  const acts = actsOf({ tool, input }).filter((act) => {
    const words = guard.tools[act.tool];
    return words !== null && words.as === undefined && !words.names.some((name) => own?.names.includes(name));
  });
  const byTool = [...new Set(acts.map((act) => act.tool))].map((one) => ({
    names: [guard.tools[one]!.names[0]],
    about: acts.filter((act) => act.tool === one).map((act) => inWordsOf(guard.tools, one, act.input)),
  }));
  return [...whole, ...byTool];
}

const title = ({ sender, call }: Case) => `${sender.name} ${call.tool} ${Object.keys(call.input).join(' ')}`;

describe.each(DIALECTS.map((guard) => [guard.name, guard] as const))('a guard of %s', (_name, guard) => {
  const { refuse, change } = FORMATS[guard.name]!;
  test.each(CASES.map((one) => [title(one), one] as const))('sees and refuses %s', async (_title, one) => {
    for (const { names, about } of guardsFor(guard, one)) {
      const silent = await fired(
        one,
        guardOf(guard, names),
        () => SILENCE[CODE.has(guard.name) ? 'code' : 'command'],
      );
      expect(
        silent.seen.map(({ input }) => input),
        `${names}`,
      ).toMatchObject(about);
      expect((await fired(one, guardOf(guard, names), refuse)).verdict, `${names}`).toBe('deny');
    }
  });
  if (change === null) return;
  test.each(
    CASES.filter(
      ({ tool, sender }) => tool !== undefined && guard.tools[tool] !== null && sender.tools[tool] !== null,
    ).map((one) => [title(one), one] as const),
  )('changes %s', async (_title, one) => {
    const [input, key, to] = CALLS[one.tool!]!;
    const words = guard.tools[one.tool!]!;
    if (words.as !== undefined) return;
    const wanted = inWordsOf(guard.tools, one.tool!, { ...input, [key]: to });
    const { payload } = await fired(one, guardOf(guard, [words.names[0]]), ({ input: shown }) => {
      const changed = Object.keys(wanted).filter((name) => wanted[name] !== shown[name]);
      return change!({
        tool: words.names[0],
        input: { ...shown, ...Object.fromEntries(changed.map((name) => [name, wanted[name]])) },
      });
    });
    const nth = Object.values(one.sender.tools[one.tool!]!.args).some((names) =>
      (names as readonly string[]).slice(1).some((name) => Object.hasOwn(one.call.input, name)),
    )
      ? 1
      : 0;
    expect(payload).toMatchObject({
      tool: one.call.tool,
      input: inWordsOf(one.sender.tools, one.tool!, { ...input, [key]: to }, nth),
    });
  });
});

describe.each(EDITS.map((one) => [Object.keys(one.call.input).join(' '), one] as const))(
  'an edit with %s',
  (_name, { call, changed, ...rest }) => {
    const one: Case = { sender: DIALECTS.find(({ name }) => name === 'oh-my-pi')!, call, ...rest };
    const editors = DIALECTS.filter(({ tools }) => tools.edit?.args.new !== undefined);
    /** Returns the texts that a guard for edits saw. */
    const textsSeen = async (guard: Dialect, lexicon = LEXICON) => {
      const name = guard.tools.edit!.args.new![0];
      const answer = () => SILENCE[CODE.has(guard.name) ? 'code' : 'command'];
      const { seen } = await fired(one, guardOf(guard, [guard.tools.edit!.names[0]]), answer, lexicon);
      return seen.map(({ input }) => input[name]);
    };

    test.each(editors.map((guard) => [guard.name, guard] as const))(
      'a guard of %s can change one of its texts under the original names',
      async (_guard, guard) => {
        const { change } = FORMATS[guard.name]!;
        if (change === null) return;
        const { names, args } = guard.tools.edit!;
        const { payload } = await fired(one, guardOf(guard, [names[0]]), ({ tool, input }) => {
          const isLast = ['d', 'new'].includes(String(input[args.new![0]]));
          const now = Object.fromEntries(args.new!.map((name) => [name, 'z']));
          return change({ tool, input: isLast ? { ...input, ...now } : input });
        });
        expect(payload).toMatchObject({ tool: 'edit', input: { ...call.input, ...changed } });
      },
    );

    test('is incomplete for a guard if it is read as a single edit (negative control)', async () => {
      const asNamed: Lexicon = {
        ...LEXICON,
        read: (tool, input) => ({ tool, input, native: { tool, args: {} } }),
      };
      const claude = editors.find(({ name }) => name === 'claude-code')!;
      const wanted = one.tool === 'patch' ? ['new'] : ['b', 'd'];
      expect(await textsSeen(claude)).toEqual(wanted);
      expect(await textsSeen(claude, asNamed)).not.toEqual(wanted);
    });
  },
);

describe('a hook without a matcher', () => {
  const named = (name: string) => DIALECTS.find((dialect) => dialect.name === name)!;
  const heard = async (dialect: string, sender: string, call: SampleCall) => {
    const guard: Hook = { ...guardOf(named(dialect), []), match: { kind: 'any' } };
    const one: Case = { sender: named(sender), tool: 'multi-edit', call, input: {} };
    const { seen } = await fired(one, guard, () => SILENCE[CODE.has(dialect) ? 'code' : 'command']);
    return seen.map(({ tool }) => tool);
  };
  const editsOf = (...texts: string[]): SampleCall => ({
    tool: 'edit',
    input: { path: '/p/.env', edits: texts.map((oldText) => ({ oldText, newText: 'z' })) },
  });

  test.each([
    ['claude-code', 'Edit', 'MultiEdit'],
    ['claude-agent-sdk', 'Edit', 'MultiEdit'],
    ['opencode', 'edit', 'multiedit'],
    ['opta', 'edit_file', 'multi_edit'],
  ])('of %s sees a list of one edit as %s and of two as %s', async (dialect, edit, list) => {
    expect(await heard(dialect, 'oh-my-pi', editsOf('a'))).toEqual([edit]);
    expect(await heard(dialect, 'oh-my-pi', editsOf('a', 'b'))).toEqual([list]);
  });

  test('sees the list under the name that its own agent sent', async () => {
    const edits = [{ old_string: 'a', new_string: 'b' }];
    const call = { tool: 'MultiEdit', input: { file_path: '/p/.env', edits } };
    expect(await heard('claude-code', 'claude-code', call)).toEqual(['MultiEdit']);
  });
});

/**
 * The meaning of each agent's tool names, derived by hand from the recordings. Null: a tool that has the same
 * name everywhere.
 */
const MEANT: Readonly<Record<string, ToolName | null>> = {
  Bash: 'shell',
  bash: 'shell',
  shell: 'shell',
  run_shell_command: 'shell',
  run_terminal_command: 'shell',
  Read: 'read',
  read: 'read',
  read_file: 'read',
  view: 'read',
  Write: 'write',
  write: 'write',
  write_file: 'write',
  create: 'write',
  Edit: 'edit',
  edit: 'edit',
  replace: 'edit',
  search_replace: 'edit',
  apply_patch: 'patch',
  Agent: 'task',
  agent: 'task',
  task: 'task',
  invoke_agent: 'task',
  spawn_agent: 'task',
  spawn_subagent: 'task',
  view_image: null,
  tree: null,
};
/** The argument that guards of a tool read, under every name of the agents. */
const LOOKED_AT: Readonly<Partial<Record<ToolName, readonly [ours: string, theirs: readonly string[]]>>> = {
  shell: ['command', ['command']],
  read: ['path', ['path', 'file_path', 'filePath', 'target_file']],
  write: ['path', ['path', 'file_path', 'filePath']],
  edit: ['path', ['path', 'file_path', 'filePath', 'input']],
  patch: ['patch', ['command', 'patchText']],
  task: ['prompt', ['prompt', 'message']],
};

describe.each(RECORDED.map(({ title: name, sender, native }) => [name, sender, native] as const))(
  'what was recorded from %s',
  (_name, sender, native) => {
    const { tool, input } = sender.payload.read(structuredClone(native)).payload as SampleCall;
    const meant = MEANT[tool];
    const one: Case = { sender, tool: meant ?? undefined, input, call: { tool, input } };
    const [ours, theirs] = (meant && LOOKED_AT[meant]) || ['path', ['path']];
    const key = theirs.find((name) => Object.hasOwn(input, name))!;

    test('has a known meaning in this test', () => {
      expect([meant, key]).not.toContain(undefined);
    });

    test.each(DIALECTS.map((guard) => [guard.name, guard] as const))(
      'a guard of %s sees it with its own names, and its decision is followed',
      async (_guard, guard) => {
        const { refuse, change } = FORMATS[guard.name]!;
        const words = meant ? guard.tools[meant] : null;
        // No such tool; covered by the tests of acts above.
        if (meant && (words === null || words.as !== undefined)) return;
        const names = [words?.names[0] ?? tool];
        const argument =
          (words?.args as Readonly<Record<string, readonly string[]>> | undefined)?.[ours]?.[0] ?? ours;
        const shownAs = key === 'input' ? key : argument; // a patch in place of an edit keeps its name
        const asked = await fired(one, guardOf(guard, names), refuse, LEXICON, native);
        expect(asked.verdict).toBe('deny');
        // Some agents use absolute file names.
        expect(String(asked.seen[0]!.input[shownAs]).endsWith(String(input[key]))).toBe(true);
        if (change === null) return;
        const changed = await fired(
          one,
          guardOf(guard, names),
          (seen) => change({ tool: names[0]!, input: { ...seen.input, [shownAs]: 'other' } }),
          LEXICON,
          native,
        );
        expect(changed.payload).toMatchObject({ tool, input: { ...input, [key]: 'other' } });
      },
    );
  },
);

test('there are recorded calls of every agent', () => {
  const agents = RECORDED.map(({ title: name }) => name.split(/[:,]/)[0]);
  expect([...new Set(agents)].toSorted()).toEqual([
    'agent-sdk',
    'claude-code',
    'codex',
    'copilot',
    'copilot-pascal',
    'gemini-cli',
    'goose',
    'grok',
    'kimi',
    'oh-my-pi',
    'opencode',
    'pi',
    'qwen',
  ]);
});

test('a tool that is missing in one column is detected (negative control)', async () => {
  const sender = DIALECTS.find(({ name }) => name === 'goose')!;
  const guard = DIALECTS.find(({ name }) => name === 'claude-code')!;
  const one: Case = {
    sender,
    tool: 'shell',
    input: {},
    call: { tool: 'shell', input: { command: 'rm -rf build' } },
  };
  const refuse = () => FORMATS['claude-code']!.refuse();
  expect((await fired(one, guardOf(guard, ['Bash']), refuse)).verdict).toBe('deny');
  const forgetful = makeLexicon(COLUMNS.map((column) => ({ ...column, shell: null })));
  expect((await fired(one, guardOf(guard, ['Bash']), refuse, forgetful)).verdict).toBe('none');
  const grok = RECORDED.find(({ native }) => native['tool_name'] === 'run_terminal_command')!;
  const told = async (lexicon: Lexicon) =>
    (await fired({ ...one, sender: grok.sender }, guardOf(guard, ['Bash']), refuse, lexicon, grok.native))
      .verdict;
  const others = DIALECTS.filter(({ name }) => name !== 'grok-build').map(({ tools }) => tools);
  // Even without its column, it is recognised as a shell by its arguments.
  expect([await told(LEXICON), await told(makeLexicon(others))]).toEqual(['deny', 'deny']);
});

test('every common tool has a call in this test', () => {
  const left = (Object.keys(TOOLS) as ToolName[]).filter((tool) => CALLS[tool] === undefined);
  expect(left).toEqual(['glob', 'grep', 'todo']);
});
