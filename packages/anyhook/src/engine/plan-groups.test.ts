/** The groups of an event: their hooks, the order, and the event that they see. */

import { describe, expect, test } from 'vitest';
import { FAILED_RESULT } from '../events/failed-result.ts';
import type { Hook, Match } from '../events/hook.ts';
import { compilePattern } from '../events/pattern.ts';
import { ALL, claude, dialect, opencode, own } from './fixtures/dialects.ts';
import { before, event, hook, run } from './fixtures/stage.ts';
import type { Parts } from './parts.ts';
import { type Group, makePlans, subjectOf } from './plan.ts';

const quiet = () => {};
const plansOf = (hooks: readonly Hook[], over: Partial<Parts> = {}) =>
  makePlans({ dialects: ALL, hooks, run, services: {}, ...over });
const names = (...all: string[]): Match => ({ kind: 'names', names: all });
/** Dialect, event as the group knows it, hooks. */
const told = (groups: readonly Group[] | undefined) =>
  groups?.map(({ dialect: { name }, knownAs, hooks }) => [name, knownAs, hooks.map(({ id }) => id)]);

describe('a plan', () => {
  test('a plan contains the groups with their native names, the order of hooks, and the hooks that do not match', () => {
    const [first, other, sdk] = [
      hook('own', quiet, { id: 'first' }),
      hook('own', quiet, { id: 'other', match: names('read') }),
      hook('claude-agent-sdk', quiet, { id: 'sdk' }),
    ];
    const plan = plansOf([first, other, sdk]).of(before('x'))!;
    const { place, ...rest } = plan;
    expect(['sdk', 'first', 'other'].map(place)).toEqual([0, 1, 2]);
    expect(rest).toEqual({
      groups: [
        { dialect: ALL[3], sharing: ALL[3]!.sharing('PreToolUse'), hooks: [sdk], knownAs: 'tool.before' },
        { dialect: own, sharing: own.sharing('tool.before'), hooks: [first], knownAs: 'tool.before' },
      ],
      unmatched: ['other'],
    });
    expect(Object.isFrozen(plan.unmatched)).toBe(true);
  });

  test('there is no plan for an event without hooks', () => {
    const plans = plansOf([hook('own', quiet)]);
    expect([plans.wants('tool.before'), plans.wants('tool.after'), plans.wants('session.end')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(plans.of(event('session.end', { reason: 'exit' }))).toBeUndefined();
  });

  test('a plan has one group per native name of a dialect, with its sharing rule', () => {
    const hooks = [
      hook('opencode', quiet, { id: 'listener', on: 'event' }),
      hook('opencode', quiet, { id: 'plugin' }),
    ];
    const { groups } = plansOf(hooks).of(before('x'))!;
    expect([told(groups), groups.map(({ sharing }) => sharing)]).toEqual([
      [
        ['opencode', 'tool.before', ['plugin']],
        ['opencode', 'tool.before', ['listener']],
      ],
      [opencode.sharing('tool.execute.before'), opencode.sharing('event')],
    ]);
  });
});

describe('hooks that are asked first', () => {
  const first = (dialectName: string, id: string) => hook(dialectName, quiet, { id, isFirst: true });

  test('hooks with isFirst have groups of their own before those of every dialect', () => {
    const hooks = [
      hook('goose', 'true', { id: 'goose' }),
      hook('own', quiet, { id: 'own' }),
      first('own', 'guard'),
      first('goose', 'goose guard'),
    ];
    const plan = plansOf(hooks).of(before('x'))!;
    expect([
      told(plan.groups),
      hooks.map(({ id }) => id).toSorted((a, b) => plan.place(a) - plan.place(b)),
    ]).toEqual([
      [
        ['goose', 'tool.before', ['goose guard']],
        ['own', 'tool.before', ['guard']],
        ['goose', 'tool.before', ['goose']],
        ['own', 'tool.before', ['own']],
      ],
      ['goose guard', 'guard', 'goose', 'own'],
    ]);
  });

  test('hooks with isFirst come first if there is only one group', () => {
    const hooks = [hook('own', quiet, { id: 'own' }), first('own', 'guard'), first('own', 'second')];
    const plan = plansOf(hooks).of(before('x'))!;
    expect(told(plan.groups)).toEqual([['own', 'tool.before', ['guard', 'second', 'own']]]);
  });
});

describe('an event that an agent reports under another name', () => {
  const retelling = dialect({
    ...claude,
    name: 'retelling',
    words: { 'tool.after': ['PostToolUse'], 'tool.failed': ['PostToolUseFailure'] },
    substitutes: { 'tool.after': FAILED_RESULT },
  });
  const after = (isError: boolean) =>
    event('tool.after', { tool: 'shell', input: {}, content: [{ type: 'text', text: 'no' }], isError });
  const hooks = [
    hook('retelling', 'true', { id: 'done', on: 'PostToolUse' }),
    hook('retelling', 'true', { id: 'failed', on: 'PostToolUseFailure' }),
  ];
  const { groups } = plansOf(hooks, { dialects: [retelling] }).of(after(true))!;
  const seenBy = (isError: boolean) =>
    groups.map(({ toGroup }) => toGroup?.(after(isError).payload as never, { session: 's' }));

  test('an event with a substitute reaches the groups of both events', () => {
    expect(told(groups)).toEqual([
      ['retelling', 'tool.after', ['done']],
      ['retelling', 'tool.failed', ['failed']],
    ]);
  });

  test('an event with a substitute applies to only one of both groups', () => {
    expect([seenBy(true), seenBy(false)]).toEqual([
      [null, { tool: 'shell', input: {}, error: 'no' }],
      [after(false).payload, null],
    ]);
  });

  test('an event has one group in a dialect without a substitute', () => {
    const plain = dialect({ ...retelling, name: 'plain', words: retelling.words, substitutes: {} });
    const one = hooks.map((each) => ({ ...each, dialect: 'plain' }));
    expect(told(plansOf(one, { dialects: [plain] }).of(after(true))?.groups)).toEqual([
      ['plain', 'tool.after', ['done']],
    ]);
  });
});

describe('an event that replaces others', () => {
  const prompt = event('prompt.submit', { prompt: 'hello' });
  const of = (on: 'agent.before' | 'model.context') => hook('own', quiet, { id: on, on });

  test('an event that replaces others reaches the groups of each of them, with a conversion if the fields differ', () => {
    const hooks = [of('model.context'), of('agent.before')];
    const plan = plansOf(hooks, { lacks: ['agent.before', 'model.context'] }).of(prompt)!;
    expect([told(plan.groups), plan.groups.map((group) => Object.keys(group))]).toEqual([
      [
        ['own', 'agent.before', ['agent.before']],
        ['own', 'model.context', ['model.context']],
      ],
      [
        ['dialect', 'sharing', 'hooks', 'knownAs', 'toGroup'],
        ['dialect', 'sharing', 'hooks', 'knownAs', 'toGroup', 'toFired'],
      ],
    ]);
  });

  test('an event does not replace events that the host has', () => {
    expect(plansOf([of('agent.before')], { lacks: ['model.context'] }).of(prompt)).toBeUndefined();
  });
});

describe('the subject', () => {
  test("the subject is the field that the event's row names", () => {
    expect([subjectOf(before('x')), subjectOf(event('subagent.start', { type: 'Explore' }))]).toEqual([
      'shell',
      'Explore',
    ]);
  });

  test('the subject is empty if the row names none or the field is not a string', () => {
    const broken = { ...before('x'), payload: { tool: 7, input: {} } } as never;
    expect([subjectOf(event('turn.stop', { active: false })), subjectOf(broken)]).toEqual(['', '']);
  });

  test('the subject of an event that does not apply is empty, and names of it do not match', () => {
    const edited = (match: Match, id: string) => hook('own', quiet, { id, on: 'file.edited', match });
    const hooks = [
      edited(names('/p/a.ts'), 'name'),
      edited({ kind: 'pattern', ...compilePattern('^$') }, 'empty'),
    ];
    const read = event('tool.after', { tool: 'read', input: { path: '/p/a.ts' }, content: [] });
    const plan = plansOf(hooks, { lacks: ['file.edited'] }).of(read)!;
    expect([told(plan.groups), plan.unmatched]).toEqual([[['own', 'file.edited', ['empty']]], ['name']]);
  });
});
