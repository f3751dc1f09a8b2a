import { describe, expect, test } from 'vitest';
import type { Event } from '../events/event.ts';
import type { Hook, Match } from '../events/hook.ts';
import { compilePattern } from '../events/pattern.ts';
import { ALL, claude, dialect, own } from './fixtures/dialects.ts';
import { before, event, go, hook, inputOf, run, skipped } from './fixtures/stage.ts';
import type { Parts } from './parts.ts';
import { makePlans } from './plan.ts';

const SHELL = ['shell', 'Bash', 'bash', 'run_command', 'developer__shell'];
const spellings = (tool: string) => (SHELL.includes(tool) ? SHELL : [tool]);
const names = (...all: string[]): Match => ({ kind: 'names', names: all });
const pattern = (source: string): Match => ({ kind: 'pattern', ...compilePattern(source) });
const plansOf = (hooks: readonly Hook[], over: Partial<Parts> = {}) =>
  makePlans({ dialects: ALL, hooks, run, services: {}, spellings, ...over });
const chosen = (what: Event, hooks: readonly Hook[], over: Partial<Parts> = {}) =>
  plansOf(hooks, over)
    .of(what)
    ?.groups.flatMap((group) => group.hooks.map(({ id }) => id));
const quiet = () => {};

describe('words', () => {
  test('names are compared with every spelling of a tool', () => {
    for (const name of SHELL)
      expect(chosen(before('x'), [hook('own', quiet, { id: name, match: names('read', name) })])).toEqual([
        name,
      ]);
    expect(chosen(before('x'), [hook('own', quiet, { match: names('Write') })])).toEqual([]);
  });

  test("names are compared with the host's own name, known or not", () => {
    const native: Event = { ...before('x'), native: { tool: 'my_shell', args: {} } };
    expect(chosen(native, [hook('own', quiet, { id: 'h', match: names('my_shell') })])).toEqual(['h']);
  });

  test('names are compared literally if the subject is not a tool', () => {
    const task = event('subagent.start', { type: 'bash' });
    expect(chosen(task, [hook('own', quiet, { on: 'subagent.start', match: names('Bash') })])).toEqual([]);
  });
});

describe('a pattern', () => {
  test("a pattern is tested against its dialect's own name, so that 'all but Bash' means the same everywhere", () => {
    const allButBash = pattern('^(?!Bash$)');
    const hooks = [hook('claude-code', 'true', { id: 'claude', match: allButBash })];
    expect(chosen({ ...before('x'), native: { tool: 'run_command', args: {} } }, hooks)).toEqual([]);
    expect(chosen(event('tool.before', { tool: 'read', input: {} }), hooks)).toEqual(['claude']);
  });

  test("a pattern is tested against the host's name if the dialect has none", () => {
    const lookup: Event = {
      ...event('tool.before', { tool: 'mcp__db__query', input: {} }),
      native: { tool: 'mcp__db__query', args: {} },
    };
    expect(chosen(lookup, [hook('claude-code', 'true', { id: 'h', match: pattern('^mcp__db__') })])).toEqual([
      'h',
    ]);
  });

  test('a hook whose pattern throws still runs', () => {
    const test = () => {
      throw new Error('bug');
    };
    const match: Match = { kind: 'pattern', source: '?', test };
    expect(chosen(before('x'), [hook('own', quiet, { id: 'h', match })])).toEqual(['h']);
  });
});

describe('a matcher that looks deeper', () => {
  test('a hook whose condition is false is skipped and recorded', async () => {
    const outcome = await go(before('ls'), [
      hook('own', () => ({ kind: 'deny' }), { id: 'h', when: () => false }),
    ]);
    expect([outcome.verdict, skipped(outcome, 'h')]).toEqual(['none', 'does not match']);
  });

  test('a hook whose condition throws still runs', async () => {
    const when = (now: Event) => String(inputOf(now)['missing']!.toString()) === '';
    const outcome = await go(before('ls'), [hook('own', () => ({ kind: 'deny' }), { when })]);
    expect(outcome.verdict).toBe('deny');
  });
});

describe('what does not run', () => {
  test('lists the hooks of the event whose matcher does not fit the subject', async () => {
    const outcome = await go(before('x'), [
      hook('own', quiet, { id: 'fits' }),
      hook('own', quiet, { id: 'other', match: names('read') }),
      hook('claude-code', 'true', { id: 'pattern', match: pattern('^Edit') }),
      hook('own', quiet, { id: 'elsewhere', on: 'session.end' }),
    ]);
    expect([outcome.unmatched, outcome.runs.map((one) => one.hook)]).toEqual([
      ['pattern', 'other'],
      ['fits'],
    ]);
  });

  test('an event without matching hooks is fired and lists the hooks that do not match', async () => {
    const outcome = await go(before('x'), [hook('own', quiet, { id: 'other', match: names('read') })]);
    expect([outcome.verdict, outcome.runs, outcome.unmatched]).toEqual(['none', [], ['other']]);
  });
});

describe('what is remembered', () => {
  const counting = (count: { calls: number }): Match => ({
    kind: 'pattern',
    source: 'x',
    test: () => ((count.calls += 1), true),
  });

  test('a plan is built once per subject', () => {
    const count = { calls: 0 };
    const plans = plansOf([hook('own', quiet, { match: counting(count) })]);
    const first = plans.of(before('a'));
    expect([plans.of(before('b')) === first, count.calls]).toEqual([true, 1]);
  });

  test('the cache is limited, because tool names come from a model', () => {
    const count = { calls: 0 };
    const plans = plansOf([hook('own', quiet, { match: counting(count) })]);
    const call = (tool: string) => plans.of(event('tool.before', { tool, input: {} }));
    const first = call('tool-0');
    for (let i = 0; i < 1000; i++) call(`tool-${i}`);
    expect(call('tool-0')).toBe(first);
    for (let i = 1000; i < 2001; i++) call(`tool-${i}`);
    expect(call('tool-0')).not.toBe(first);
  });

  test('long subjects are not cached, because a prompt is a secret and may be large', () => {
    const count = { calls: 0 };
    const plans = plansOf([hook('own', quiet, { on: 'prompt.submit', match: counting(count) })]);
    const prompt = 'p'.repeat(5000);
    plans.of(event('prompt.submit', { prompt }));
    plans.of(event('prompt.submit', { prompt }));
    expect(count.calls).toBe(2);
  });

  test('a tool called like a property of Object is an ordinary name', () => {
    for (const tool of ['__proto__', 'constructor', 'toString'])
      expect(
        chosen(event('tool.before', { tool, input: {} }), [hook('claude-code', 'true', { id: 'h' })]),
      ).toEqual(['h']);
  });
});

describe('an event the host lacks', () => {
  const edited = (match: Match, id = 'h') => hook('own', quiet, { id, on: 'file.edited', match });
  const written = (path: string, tool = 'write') =>
    event('tool.after', { tool, input: { path }, content: [] });
  const lacks = ['file.edited', 'tool.permission'] as const;

  test('hooks of a missing event make the host fire the nearest event', () => {
    const hooks = [edited({ kind: 'any' })];
    expect([plansOf(hooks).wants('tool.after'), plansOf(hooks, { lacks }).wants('tool.after')]).toEqual([
      false,
      true,
    ]);
  });

  test('hooks of a missing event run after those of the fired event', () => {
    const groups = plansOf([hook('claude-code', '', { on: 'PermissionRequest' }), hook('own', quiet)], {
      lacks,
    })
      .of(before('x'))!
      .groups.map((group) => [group.dialect.name, group.knownAs]);
    expect(groups).toEqual([
      ['own', 'tool.before'],
      ['claude-code', 'tool.permission'],
    ]);
  });

  test('a missing event is matched by its own subject: the file, not the tool', async () => {
    const seen: unknown[] = [];
    const look = (match: Match) =>
      hook('own', ({ payload }: Event) => void seen.push(payload), { on: 'file.edited', match });
    await go(written('/p/a.ts'), [look(pattern('\\.ts$')), look(pattern('\\.md$')), look(names('write'))], {
      lacks,
    });
    await go(written('/p/b.md'), [look(pattern('\\.ts$')), look(names('/p/b.md'))], { lacks });
    expect(seen).toEqual([{ file: '/p/a.ts' }, { file: '/p/b.md' }]);
  });

  test('a hook without a matcher sees the missing event as itself', async () => {
    const seen: unknown[] = [];
    const outcome = await go(
      written('/p/a.ts'),
      [hook('own', (now: Event) => void seen.push(now.name, now.payload), { on: 'file.edited' })],
      { lacks },
    );
    expect([seen, outcome.payload]).toEqual([
      ['file.edited', { file: '/p/a.ts' }],
      written('/p/a.ts').payload,
    ]);
  });

  test('file.edited does not fire if the tool wrote nothing', async () => {
    for (const what of [
      written('/p/a.ts', 'read'),
      { ...written('/p/a.ts'), payload: { ...written('/p/a.ts').payload, isError: true } },
    ]) {
      const outcome = await go(what as Event, [edited({ kind: 'any' })], { lacks });
      expect(skipped(outcome, 'h')).toBe('does not match');
    }
  });

  test('an event is not replaced in a host that has it', () => {
    const hooks = [hook('claude-code', '', { on: 'PermissionRequest', id: 'h' })];
    expect(plansOf(hooks).of(before('x'))).toBeUndefined();
  });
});

test('a host without a lexicon compares names literally', () => {
  const bare = dialect({ ...claude, name: 'bare', words: claude.words });
  const hooks = [hook('bare', '', { id: 'h', on: 'PreToolUse', match: names('shell') })];
  const plans = makePlans({ dialects: [bare, own], hooks, run, services: {} });
  expect(plans.of(before('x'))!.groups.flatMap((group) => group.hooks.map(({ id }) => id))).toEqual(['h']);
});
