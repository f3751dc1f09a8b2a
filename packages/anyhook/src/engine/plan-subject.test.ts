/** Which parts of an event decide about the selected hooks, and what is cached. */

import { describe, expect, test } from 'vitest';
import type { Event } from '../events/event.ts';
import type { Hook, Match } from '../events/hook.ts';
import { mcpToolsIn } from '../events/mcp-names.ts';
import { compilePattern } from '../events/pattern.ts';
import { NO_TOOLS } from '../events/tools.ts';
import { ALL, claude, dialect } from './fixtures/dialects.ts';
import { event, go, hook, run, skipped } from './fixtures/stage.ts';
import type { Parts } from './parts.ts';
import { makePlans } from './plan.ts';

const quiet = () => {};
const names = (...all: string[]): Match => ({ kind: 'names', names: all });
const pattern = (source: string): Match => ({ kind: 'pattern', ...compilePattern(source) });
const spellings = (tool: string) => (tool === 'shell' ? ['shell', 'Bash'] : [tool]);
const plansOf = (hooks: readonly Hook[], over: Partial<Parts> = {}) =>
  makePlans({ dialects: ALL, hooks, run, services: {}, spellings, ...over });
const call = (tool: string, input: object = {}, native?: string): Event => ({
  ...event('tool.before', { tool, input: input as Record<string, unknown> }),
  ...(native !== undefined && { native: { tool: native, args: {} } }),
});
/** Returns the hooks selected for each event, with the same plans one after the other. */
function chosen(events: readonly Event[], hooks: readonly Hook[], over: Partial<Parts> = {}) {
  const plans = plansOf(hooks, over);
  return events.map((one) => plans.of(one)?.groups.flatMap((group) => group.hooks.map(({ id }) => id)));
}
const PATCH = { patch: '*** Begin Patch\n*** Add File: /p/a.ts\n+x\n*** End Patch' };
const DELETING = { patch: '*** Begin Patch\n*** Update File: /p/a.ts\n@@\n-x\n+y\n*** End Patch' };

describe('a plan that was remembered', () => {
  test('one cached plan serves every event if no hook has a matcher', () => {
    const plans = plansOf([hook('own', quiet), hook('opta', 'true')]);
    const one = plans.of(call('read'));
    expect([plans.of(call('write')) === one, plans.of(call('read', {}, 'cat')) === one]).toEqual([
      true,
      true,
    ]);
  });

  test('plans are cached per subject if any hook has a matcher', () => {
    const hooks = [
      hook('own', quiet, { id: 'any' }),
      hook('own', quiet, { id: 'reads', match: names('read') }),
      hook('opta', 'true', { id: 'opta' }),
    ];
    expect(chosen([call('read'), call('write'), call('read')], hooks)).toEqual([
      ['opta', 'any', 'reads'],
      ['opta', 'any'],
      ['opta', 'any', 'reads'],
    ]);
  });

  test('plans are cached per host name of the tool', () => {
    const hooks = [hook('own', quiet, { id: 'cat', match: names('cat') })];
    expect(chosen([call('read'), call('read', {}, 'cat'), call('read', {}, 'view')], hooks)).toEqual([
      [],
      ['cat'],
      [],
    ]);
  });

  test('plans are cached per acts of a call', () => {
    const hooks = [hook('own', quiet, { id: 'writes', match: names('write') })];
    expect(chosen([call('patch', DELETING), call('patch', PATCH), call('patch', DELETING)], hooks)).toEqual([
      [],
      ['writes'],
      [],
    ]);
  });

  test('plans are cached per file for hooks on file edits', () => {
    const hooks = [
      hook('own', quiet, { id: 'a', on: 'file.edited', match: names('/p/a') }),
      hook('own', quiet, { id: 'b', on: 'file.edited', match: names('/p/b') }),
    ];
    const written = (path: string) => event('tool.after', { tool: 'write', input: { path }, content: [] });
    expect(chosen(['/p/a', '/p/b', '/p/c'].map(written), hooks, { lacks: ['file.edited'] })).toEqual([
      ['a'],
      ['b'],
      [],
    ]);
  });

  test("plans are cached by our name and the host's, together up to 256 characters", () => {
    let calls = 0;
    const match: Match = { kind: 'pattern', source: 'x', test: () => ((calls += 1), true) };
    const plans = plansOf([hook('own', quiet, { match })]);
    const asked = ([tool, native]: readonly [string, string?]) => {
      calls = 0;
      plans.of(call(tool, {}, native));
      return calls;
    };
    const [kept, long] = ['k'.repeat(255), 'l'.repeat(256)];
    const reads = [
      ['read', 'cat'],
      ['write', 'cat'],
      ['read'],
      ['read', 'cat'],
      ['write', 'cat'],
      ['read'],
    ] as const;
    expect(reads.map(asked)).toEqual([1, 1, 1, 0, 0, 0]);
    expect(
      (
        [
          [kept, 'n'],
          [kept, 'n'],
          [long, 'n'],
          [long, 'n'],
        ] as const
      ).map(asked),
    ).toEqual([1, 0, 1, 1]);
  });

  test('a thousand plans are cached for names of up to 256 characters', () => {
    let calls = 0;
    const match: Match = { kind: 'pattern', source: 'x', test: () => ((calls += 1), true) };
    const plans = plansOf([hook('own', quiet, { match })]);
    const asked = (tool: string) => {
      calls = 0;
      plans.of(call(tool));
      return calls;
    };
    const [kept, long] = ['k'.repeat(256), 'l'.repeat(257)];
    expect([kept, kept, long, long].map(asked)).toEqual([1, 0, 1, 1]);
    for (let i = 1; i < 1000; i++) asked(`tool-${i}`);
    expect([kept, 'tool-999', 'one more', kept].map(asked)).toEqual([0, 0, 1, 1]);
  });
});

describe('a call that is several acts', () => {
  const hooks = [
    hook('own', quiet, { id: 'writes', match: names('write') }),
    hook('own', quiet, { id: 'edits', match: names('edit') }),
    hook('own', quiet, { id: 'patches', match: names('patch') }),
  ];

  test('a compound call matches hooks of each act and of itself', () => {
    expect(chosen([call('patch', PATCH), call('patch', DELETING)], hooks)).toEqual([
      ['writes', 'patches'],
      ['edits', 'patches'],
    ]);
  });

  test('a compound call does not match an act only because the host uses its name', () => {
    expect(chosen([call('patch', DELETING, 'write')], hooks)).toEqual([['edits', 'patches']]);
  });

  test('a hook sees only the acts of a compound call that it matches', async () => {
    const seen: unknown[] = [];
    const look = (id: string, over: Partial<Hook>) =>
      hook('own', ({ payload }: Event) => void seen.push([id, payload]), { id, ...over });
    const both = { patch: PATCH.patch.replace('*** End', '*** Update File: /p/b.ts\n@@\n-x\n+y\n*** End') };
    const outcome = await go(call('patch', both), [
      look('writes', { match: names('write') }),
      look('edits b', { match: names('edit'), when: () => true }),
      look('never', { match: names('edit'), when: () => false }),
    ]);
    expect([seen, skipped(outcome, 'never')]).toEqual([
      [
        ['writes', { tool: 'write', input: { path: '/p/a.ts', content: 'x\n' } }],
        ['edits b', { tool: 'edit', input: expect.objectContaining({ path: '/p/b.ts' }) }],
      ],
      'does not match',
    ]);
  });
});

describe('words', () => {
  test('a list of names matches if one of them is the name or a spelling of the tool', () => {
    const of = (match: Match) =>
      chosen([call('shell', {}, 'sh')], [hook('own', quiet, { id: 'h', match })])[0];
    expect([names('read', 'Bash'), names('sh'), names('read'), names()].map(of)).toEqual([
      ['h'],
      ['h'],
      [],
      [],
    ]);
  });

  test('our own name matches even if the host has another one and there are no spellings', () => {
    const plans = makePlans({
      dialects: ALL,
      run,
      services: {},
      hooks: [hook('own', quiet, { id: 'h', match: names('shell') })],
    });
    expect(plans.of(call('shell', {}, 'sh'))?.groups.map(({ hooks }) => hooks.length)).toEqual([1]);
  });

  test('names of an event without a tool are compared literally', () => {
    const about = (match: Match) => hook('own', quiet, { id: 'h', on: 'subagent.start', match });
    const task: Event = { ...event('subagent.start', { type: 'shell' }), native: { tool: 'sh', args: {} } };
    expect(['shell', 'Bash', 'sh'].map((name) => chosen([task], [about(names(name))])[0])).toEqual([
      ['h'],
      [],
      [],
    ]);
    expect(['^shell$', '^sh$'].map((source) => chosen([task], [about(pattern(source))])[0])).toEqual([
      ['h'],
      [],
    ]);
  });
});

describe('a pattern', () => {
  const claudeHook = (source: string) => hook('claude-code', 'true', { id: 'h', match: pattern(source) });

  test('a pattern is tested against every name of its dialect for the tool and no other', () => {
    const two = dialect({
      ...claude,
      name: 'two',
      words: claude.words,
      tools: { ...NO_TOOLS, shell: { names: ['Bash', 'Task'], args: {} } },
    });
    const fits = (source: string) =>
      chosen([call('shell', {}, 'sh')], [{ ...claudeHook(source), dialect: 'two' }], { dialects: [two] })[0];
    expect(['^Bash$', '^Task$', '^shell$', '^sh$'].map(fits)).toEqual([['h'], ['h'], [], []]);
  });

  test("a pattern is tested against an MCP tool's name as its dialect joins it", () => {
    const joined = dialect({
      ...claude,
      name: 'joined',
      words: claude.words,
      tools: { ...NO_TOOLS, mcp: { prefix: '', between: '.' } },
    });
    const fits = (source: string) =>
      chosen([call('mcp__db__query', {}, 'db-query')], [{ ...claudeHook(source), dialect: 'joined' }], {
        dialects: [joined],
        mcpTools: (tool) => mcpToolsIn(tool),
      })[0];
    expect(['^db\\.query$', '^mcp__db__query$', '^db-query$'].map(fits)).toEqual([['h'], [], []]);
  });

  test("a pattern is tested against the host's name or ours if the dialect has none", () => {
    const fits = (source: string, native?: string) =>
      chosen([call('mine', {}, native)], [claudeHook(source)])[0];
    expect([fits('^mine$'), fits('^mine$', 'host_mine'), fits('^host_mine$', 'host_mine')]).toEqual([
      ['h'],
      [],
      ['h'],
    ]);
  });
});
