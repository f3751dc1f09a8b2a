/** Callbacks for the Claude Agent SDK in an unchanged module file: in process, isolated, named. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Options } from '../gather/options.ts';
import { createHooks } from './create-hooks.ts';
import type { Hooks } from './hooks.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sdk-modules-')));
const open: Hooks[] = [];
let count = 0;
afterAll(async () => {
  for (const hooks of open) await hooks.close();
  rmSync(root, { recursive: true, force: true });
});

/** Written as in the SDK documentation. */
const GUARD = `import type { HookCallback } from '@anthropic-ai/claude-agent-sdk';

const guard: HookCallback = async (input, toolUseID, { signal }) => {
  const command = (input as any).tool_input.command;
  if (command === 'hang') await new Promise(() => {});
  if (command === 'rm') return {
    hookSpecificOutput: {
      hookEventName: input.hook_event_name,
      permissionDecision: 'deny',
      permissionDecisionReason: 'not that, ' + toolUseID + (signal ? '' : ' without a signal'),
    },
  };
  if (command === 'ls') return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { ...(input as any).tool_input, command: 'ls -l' },
    },
  };
  return {};
};

export const hooks = {
  PreToolUse: [{ matcher: 'Bash', hooks: [guard], timeout: 0.5 }],
  PostToolUse: [
    {
      matcher: '^B.sh$',
      hooks: [
        async () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'mind the gap' } }),
      ],
    },
  ],
};
`;
const MIXED = `import { defineHook, deny } from 'anyhook';
export const ours = defineHook({ on: 'tool.before', run: ({ payload }) => payload.input.command === 'ours' ? deny('ours says no') : undefined });
export default {
  PreToolUse: [{ hooks: [async ({ tool_input }) => tool_input.command === 'theirs' ? { decision: 'block', reason: 'theirs says no' } : {}] }],
};
`;

interface Ground {
  readonly base: string;
  readonly home: string;
  readonly cwd: string;
}
function ground(files: Readonly<Record<string, string>>): Ground {
  const base = join(root, String(++count));
  const [home, cwd] = [join(base, 'home'), join(base, 'project')];
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  return { base, home, cwd };
}
async function opened({ home, cwd }: Ground, options: Partial<Options> = {}): Promise<Hooks> {
  const given = {
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd,
    env: {},
    journal: false as const,
  };
  const looked = await createHooks({ ...given, ...options });
  const hashes = looked.examined.map(({ judgement }) => judgement.hash);
  open.push(looked);
  if (hashes.length === 0) return looked;
  const hooks = await createHooks({ ...given, ...options, trust: { hashes } });
  open.push(hooks);
  return hooks;
}
/** Our own guards also protect their settings, if there are any. */
const callbacksOf = ({ hooks }: Hooks) => hooks.filter(({ dialect }) => dialect !== 'anyhook');
const before = (command: string, tool = 'shell') =>
  ({
    name: 'tool.before',
    payload: { tool, input: { command } },
    ids: { session: 's', call: 'c1' },
  }) as const;
const after = (tool = 'shell') => ({
  name: 'tool.after' as const,
  payload: { tool, input: { command: 'x' }, content: [{ type: 'text' as const, text: 'out' }] },
});

const USER = 'home/.config/anyhook/hooks/guard.ts';
const PROJECT = 'project/.anyhook/hooks/guard.ts';

describe.each([
  ['the person’s own, in this process', USER, 'call', {}],
  ['a project’s, in a process of its own', PROJECT, 'isolated', {}],
  ['one that the caller names', 'project/guard.ts', 'call', { modules: { files: ['guard.ts'] } }],
] as const)('%s', (_, path, way, options) => {
  let hooks: Hooks;
  let file: string;
  beforeAll(async () => {
    const found = ground({ [path]: GUARD });
    file = join(found.base, path);
    hooks = await opened(found, options);
  });

  test('SDK callbacks are hooks of their dialect, with file and line', () => {
    expect(hooks.problems).toEqual([]);
    expect(
      callbacksOf(hooks).map(({ id, dialect, on, origin, run, matcher, timeoutMs }) => ({
        id,
        dialect,
        on,
        line: origin.line,
        way: run.kind,
        matcher,
        timeoutMs,
      })),
    ).toEqual([
      {
        id: `${file}#hooks.PreToolUse[0].hooks[0]`,
        dialect: 'claude-agent-sdk',
        on: 'PreToolUse',
        line: 24,
        way,
        matcher: 'Bash',
        timeoutMs: 500,
      },
      {
        id: `${file}#hooks.PostToolUse[0].hooks[0]`,
        dialect: 'claude-agent-sdk',
        on: 'PostToolUse',
        line: 25,
        way,
        matcher: '^B.sh$',
        timeoutMs: 30_000,
      },
    ]);
  });

  test('SDK callbacks can refuse, change and add context, and ignore other tools', async () => {
    const refused = await hooks.fire(before('rm'));
    expect([refused.verdict, refused.reasons.map(({ text }) => text)]).toEqual(['deny', ['not that, c1']]);
    const changed = await hooks.fire(before('ls'));
    expect([changed.verdict, changed.payload.input]).toEqual(['allow', { command: 'ls -l' }]);
    expect((await hooks.fire(before('rm', 'write'))).verdict).toBe('none');
    expect((await hooks.fire(after())).said.map(({ to, text }) => [to, text])).toEqual([
      ['model', 'mind the gap'],
    ]);
    expect((await hooks.fire(after('write'))).said).toEqual([]);
  });

  test('an SDK callback that never returns is a timed-out guard, and the call is refused', async () => {
    const outcome = await hooks.fire(before('hang'));
    const [{ text, broken } = { text: '' }, ...more] = outcome.reasons;
    expect([outcome.verdict, broken, text.includes('(timed-out'), more]).toEqual(['deny', true, true, []]);
    expect((await hooks.fire(before('rm'))).reasons.map(({ text }) => text)).toEqual(['not that, c1']);
  });

  test('an SDK callback next to one of our hooks in the same module: both are called', async () => {
    const mixed = await opened(ground({ [path]: MIXED }), options);
    expect(mixed.problems).toEqual([]);
    for (const whose of ['ours', 'theirs']) {
      const outcome = await mixed.fire(before(whose));
      expect([outcome.verdict, outcome.reasons.map(({ text }) => text)]).toEqual([
        'deny',
        [`${whose} says no`],
      ]);
    }
    expect((await mixed.fire(before('nobody'))).verdict).not.toBe('deny');
  });
});

test('SDK callbacks of a project are not loaded before they are trusted', async () => {
  const { home, cwd } = ground({ [PROJECT]: `globalThis.wasLoaded = true;\n${GUARD}` });
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    home,
    cwd,
    env: {},
    journal: false,
  });
  open.push(hooks);
  expect([callbacksOf(hooks), hooks.problems.map(({ code }) => code), 'wasLoaded' in globalThis]).toEqual([
    [],
    ['not-trusted'],
    false,
  ]);
});

test('an options object for `query` is searched for callbacks', async () => {
  const text = `export const options = { model: 'x', hooks: { Stop: [{ hooks: [async () => ({ decision: 'block', reason: 'tests first' })] }] } };`;
  const hooks = await opened(ground({ [USER]: text }));
  const outcome = await hooks.fire({ name: 'turn.stop', payload: { active: false } });
  expect([outcome.flow.resume, hooks.problems]).toEqual(['tests first', []]);
});

test.each([
  ['in process', USER],
  ['isolated', PROJECT],
])('a misspelled event beside a valid one is reported, %s', async (_, path) => {
  const text = `export default { PreToolUze: [], Stop: [{ hooks: [() => ({})] }] };`;
  const found = ground({ [path]: text });
  const hooks = await opened(found);
  expect(hooks.problems.map(({ code, key, file }) => [code, key, file])).toEqual([
    ['unknown-event', 'PreToolUze', join(found.base, path)],
  ]);
});

test('an object that only resembles hooks is not a hook and is reported', async () => {
  const hooks = await opened(ground({ [USER]: `export default { Stop: 'a word', hooks: { Stop: 1 } };` }));
  expect([callbacksOf(hooks), hooks.problems.map(({ code, message }) => [code, message])]).toEqual([
    [],
    [['not-loaded', 'the module defines no hook; it exports default (object).']],
  ]);
});
