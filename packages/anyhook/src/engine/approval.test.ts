/** Rule 3 of composition: an approval covers what will really run. */

import { describe, expect, test } from 'vitest';
import type { Effect } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { ALL, dialect, own } from './fixtures/dialects.ts';
import { before, commandOf, event, go, hook, inputOf, rounds, skipped } from './fixtures/stage.ts';

const NO_RM = 'case "$OPTA_TOOL_ARGS" in *"rm -rf"*) echo no rm >&2; exit 1;; esac';
type Output = { args: { command: string } };
const become = (command: string) => (_input: unknown, output: Output) => void (output.args = { command });
const set = (command: string): Effect => ({ kind: 'set', at: ['input', 'command'], to: command });
const allow: Effect = { kind: 'allow' };

describe('a later change', () => {
  test('a later change voids an approval; guards judge the final call again and other hooks do not run again', async () => {
    const once = `grep -q '"anyhook_round":2' && exit 0; printf '%s' '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`;
    const outcome = await go(before('git status'), [
      hook('opta', NO_RM, { id: 'opta' }),
      hook('claude-code', once, { id: 'once' }),
      hook('opencode', become('git status --short'), { id: 'plugin' }),
      hook('oh-my-pi', () => undefined, { id: 'pi' }),
      hook('opencode', () => {}, { id: 'mutator', roles: ['mutator'] }),
      hook('opencode', () => {}, { id: 'observer', roles: ['observer'] }),
    ]);
    expect(outcome.payload['input']).toEqual({ command: 'git status --short' });
    expect([outcome.verdict, outcome.voided]).toEqual(['none', ['once']]);
    expect(['opta', 'once', 'plugin', 'pi', 'mutator', 'observer'].map((id) => rounds(outcome, id))).toEqual([
      [1, 2],
      [1, 2],
      [1],
      [1],
      [1],
      [1],
    ]);
    expect(outcome.changed).toEqual([{ by: 'plugin', at: 'input.command' }]);
  });

  test('a later change is denied by a guard that had passed the old call', async () => {
    const outcome = await go(before('ls'), [
      hook('opta', NO_RM, { id: 'opta' }),
      hook('opencode', become('rm -rf /')),
    ]);
    expect([outcome.verdict, outcome.reasons]).toEqual(['deny', [{ by: 'opta', text: 'no rm' }]]);
  });

  test('a later change is approved only by a hook that approves it in the second round', async () => {
    const outcome = await go(before('ls'), [
      hook('claude-agent-sdk', () => ({ hookSpecificOutput: { permissionDecision: 'allow' } }), {
        id: 'yes',
      }),
      hook('opencode', become('ls -l'), { roles: ['mutator'] }),
    ]);
    expect([outcome.verdict, outcome.reasons]).toEqual(['allow', [{ by: 'yes', text: '' }]]);
    expect(rounds(outcome, 'yes')).toEqual([1, 2]);
  });

  test('a later change runs a guard whose matcher did not fit the old call', async () => {
    const git = (now: Event) => String(inputOf(now)['command']).startsWith('git ');
    const outcome = await go(before('ls'), [
      hook('goose', 'cat >/dev/null; echo no git >&2; exit 2', { id: 'goose', when: git }),
      hook('opencode', become('git push')),
    ]);
    expect([outcome.verdict, skipped(outcome, 'goose'), rounds(outcome, 'goose')]).toEqual([
      'deny',
      'does not match',
      [2],
    ]);
  });

  test('a changed subject is looked up again, so that a guard of the final prompt runs', async () => {
    const secret = hook('own', () => ({ kind: 'deny', reason: 'a secret' }), {
      id: 'secret',
      on: 'prompt.submit',
      match: { kind: 'pattern', source: 'KEY', test: (prompt) => prompt.includes('KEY') },
    });
    const fill = hook('own', () => ({ kind: 'set', at: ['prompt'], to: 'KEY=1' }), { on: 'prompt.submit' });
    const outcome = await go(event('prompt.submit', { prompt: 'hello' }), [secret, fill]);
    expect([outcome.verdict, outcome.reasons, outcome.unmatched]).toEqual([
      'deny',
      [{ by: 'secret', text: 'a secret' }],
      [],
    ]);
  });

  test('changes that cancel each other out leave approvals of the first value valid', async () => {
    const outcome = await go(before('ls'), [
      hook('own', () => allow, { id: 'yes' }),
      hook('own', () => set('pwd'), { roles: ['mutator'] }),
      hook('own', () => set('ls'), { roles: ['mutator'] }),
    ]);
    expect([outcome.verdict, rounds(outcome, 'yes'), outcome.payload['input']]).toEqual([
      'allow',
      [1],
      { command: 'ls' },
    ]);
  });
});

describe('a change in the second round', () => {
  const prefix = (word: string) => (_input: unknown, output: Output) =>
    void (output.args.command = `${word} ${output.args.command}`);

  test('a change in the second round becomes a question instead of a loop', async () => {
    const undo = (_input: unknown, output: Output) =>
      void (output.args.command = output.args.command.replace('nice ', ''));
    const outcome = await go(before('nice x'), [
      hook('opencode', undo, { id: 'a' }),
      hook('opencode', prefix('nice'), { id: 'b' }),
    ]);
    expect([commandOf(outcome), outcome.verdict, outcome.reasons]).toEqual([
      'nice x',
      'ask',
      [{ by: 'a', text: 'a wants to change the call again' }],
    ]);
  });

  test('repeating an addition in the second round is no question, so two prefixes chain', async () => {
    const outcome = await go(before('x'), [
      hook('opencode', prefix('timeout 60'), { id: 'a' }),
      hook('opencode', prefix('nice'), { id: 'b' }),
    ]);
    expect([commandOf(outcome), outcome.verdict, rounds(outcome, 'a')]).toEqual([
      'nice timeout 60 x',
      'none',
      [1, 2],
    ]);
    expect(outcome.runs.find((one) => one.hook === 'a' && one.round === 2)?.ignored).toEqual([
      { effect: set('timeout 60 nice timeout 60 x'), why: 'has done so already' },
    ]);
  });

  test('repeating an addition is a question if another hook removed it', async () => {
    const outcome = await go(before('git push'), [
      hook('opencode', (_input: unknown, { args }: Output) => void (args.command += ' --dry-run'), {
        id: 'a',
      }),
      hook('opencode', become('git push'), { id: 'b', roles: ['mutator'] }),
      hook('opencode', prefix('nice'), { id: 'c', roles: ['mutator'] }),
    ]);
    expect([commandOf(outcome), outcome.verdict]).toEqual(['nice git push', 'ask']);
  });

  test('a redaction in the second round is a question, even after an earlier one', async () => {
    const redact = (_input: unknown, { args }: Output) =>
      void (args.command = args.command.replaceAll('KEY', '***'));
    const outcome = await go(before('echo KEY'), [
      hook('opencode', redact, { id: 'a' }),
      hook('opencode', (_input: unknown, { args }: Output) => void (args.command += ' KEY'), { id: 'b' }),
    ]);
    expect([commandOf(outcome), outcome.verdict]).toEqual(['echo *** KEY', 'ask']);
  });

  test('an approval in the second round covers the call with its own addition', async () => {
    const wrap = (word: string) => (now: Event) => [set(`${word} ${String(inputOf(now)['command'])}`), allow];
    const outcome = await go(before('x'), [
      hook('own', wrap('time'), { id: 'a' }),
      hook('own', ({ payload }: Event<'tool.before'>) => set(`nice ${String(payload.input['command'])}`), {
        roles: ['mutator'],
      }),
    ]);
    expect([commandOf(outcome), outcome.verdict, outcome.voided]).toEqual(['nice time x', 'none', ['a']]);
  });

  test('wanting the current value in the second round is no change', async () => {
    const outcome = await go(before('x'), [
      hook('opencode', become('y'), { id: 'a' }),
      hook('opencode', prefix('nice'), { id: 'b', roles: ['mutator'] }),
      hook('opencode', become('y'), { id: 'c', roles: ['mutator'] }),
    ]);
    expect([commandOf(outcome), outcome.verdict, rounds(outcome, 'a')]).toEqual(['y', 'none', [1]]);
  });

  test('texts from the first round are not repeated in the second', async () => {
    const tells = () => [
      { kind: 'context', text: 'c' },
      { kind: 'notice', text: 'n' },
    ];
    const outcome = await go(before('x'), [
      hook('own', tells, { id: 'early' }),
      hook('own', tells, { id: 'late', when: (now) => inputOf(now)['command'] === 'y' }),
      hook('own', () => set('y'), { roles: ['mutator'] }),
    ]);
    expect(outcome.said.map(({ by, text }) => [by, text])).toEqual([
      ['early', 'c'],
      ['early', 'n'],
      ['late', 'c'],
      ['late', 'n'],
    ]);
    expect(outcome.runs.find((one) => one.hook === 'early' && one.round === 2)?.ignored).toEqual(
      tells().map((effect) => ({ effect, why: 'said before' })),
    );
  });

  test('a cancel of the final value counts in the second round', async () => {
    const judge = hook(
      'own',
      ({ payload }: Event<'other'>) =>
        payload.body === 'bad' ? { kind: 'cancel', reason: 'bad' } : undefined,
      { on: 'other' },
    );
    const spoil = hook('own', () => ({ kind: 'set', at: ['body'], to: 'bad' }), {
      on: 'other',
      roles: ['mutator'],
    });
    const outcome = await go(event('other', { word: 'w', body: 'good' }), [judge, spoil]);
    expect(outcome.flow).toEqual({ cancel: 'bad' });
  });
});

describe('an approval beside a change that is not made', () => {
  const lastStands = dialect({
    ...own,
    name: 'last',
    words: { 'tool.before': ['last'] },
    sharing: () => ({ order: 'in-turn', sees: 'original', stopsOn: [], keep: 'last' }),
  });

  test('an approval is void if another answer replaces its change, even by the old value', async () => {
    const outcome = await go(
      before('rm x'),
      [
        hook('last', () => [set('trash x'), allow], { id: 'a', on: 'last' }),
        hook('last', () => set('rm x'), { id: 'b', on: 'last', roles: ['mutator'] }),
      ],
      { dialects: [lastStands] },
    );
    expect(commandOf(outcome)).toBe('rm x');
    expect(outcome.voided).toContain('a');
    expect(outcome.verdict).toBe('ask'); // in the second round it still wants another call
    expect(rounds(outcome, 'a')).toEqual([1, 2]);
  });

  test('an approval is void if its change is not allowed', async () => {
    const outcome = await go(before('x'), [
      hook('own', () => [{ kind: 'set', at: ['tool'], to: 'read' }, allow], { id: 'a' }),
    ]);
    expect([outcome.verdict, outcome.voided, outcome.payload['tool']]).toEqual(['none', ['a'], 'shell']);
  });

  test('a hook that saw a replaced change runs again on the final value', async () => {
    const fickle = dialect({
      ...own,
      name: 'fickle',
      words: { 'tool.before': ['fickle'] },
      sharing: () => ({ order: 'in-turn', sees: 'so-far', stopsOn: [], keep: 'last' }),
    });
    const seen: unknown[] = [];
    const of = (fn: (now: Event) => unknown, id: string) => hook('fickle', fn, { id, on: 'fickle' });
    const outcome = await go(
      before('rm x'),
      [
        of(() => set('ls'), 'a'),
        of(
          (now) => (
            seen.push(inputOf(now)['command']),
            inputOf(now)['command'] === 'ls' ? allow : { kind: 'deny' }
          ),
          'b',
        ),
        of(() => set('rm x'), 'c'),
      ],
      { dialects: [fickle] },
    );
    expect([seen, outcome.verdict]).toEqual([['ls', 'rm x'], 'deny']);
  });
});

describe('who may approve', () => {
  test('a hook that is not a guard cannot approve', async () => {
    for (const roles of [['mutator'], ['observer']] as const) {
      const outcome = await go(before('x'), [hook('own', () => [set('y'), allow], { id: 'm', roles })]);
      expect(outcome.verdict).toBe('none');
    }
  });

  test('a hook that is not a guard can still refuse', async () => {
    const outcome = await go(before('x'), [hook('own', () => ({ kind: 'deny' }), { roles: ['mutator'] })]);
    expect(outcome.verdict).toBe('deny');
  });

  test('background and detached hooks cannot approve', async () => {
    const outcome = await go(before('x'), [
      hook('own', () => allow, { background: true }),
      hook('opencode', () => [allow], { on: 'event' }),
    ]);
    expect(outcome.verdict).toBe('none');
  });

  test('a shadow hook cannot approve, and its change does not void an approval', async () => {
    const outcome = await go(before('x'), [
      hook('own', () => [set('y'), allow], { shadow: true }),
      hook('own', () => allow, { id: 'yes' }),
    ]);
    expect([outcome.verdict, outcome.reasons, commandOf(outcome)]).toEqual([
      'allow',
      [{ by: 'yes', text: '' }],
      'x',
    ]);
  });
});

describe('an event the host lacks', () => {
  const lacks = ['tool.permission'] as const;

  test('a missing event is judged right after tool.before with the final input', async () => {
    const seen: unknown[] = [];
    const outcome = await go(
      before('ls'),
      [
        hook(
          'opencode',
          (_input: { event: string }, { args }: Output) => void seen.push(_input.event, args.command),
          {
            on: 'permission.ask',
          },
        ),
        hook('own', () => set('pwd'), { roles: ['mutator'] }),
      ],
      { lacks },
    );
    expect([seen, outcome.verdict]).toEqual([['tool.permission', 'pwd'], 'none']);
  });

  test('an approval at a missing event counts, and a later change is judged there again', async () => {
    const seen: unknown[] = [];
    const permit = hook(
      'opencode',
      (_input: unknown, { args }: Output) => (
        seen.push(args.command),
        args.command === 'ls' ? [allow] : [{ kind: 'deny' }]
      ),
      { on: 'permission.ask', id: 'permit' },
    );
    expect((await go(before('ls'), [permit], { lacks })).verdict).toBe('allow');
    const late = hook('own', () => set('rm'), { on: 'tool.permission', roles: ['mutator'] });
    seen.length = 0;
    const outcome = await go(before('ls'), [permit, late], { lacks });
    expect([seen, outcome.verdict]).toEqual([['ls', 'rm'], 'deny']);
  });

  test('a change that the fired event cannot express is recorded as ignored', async () => {
    const outcome = await go(
      event('prompt.submit', { prompt: 'p' }),
      [hook('own', () => ({ kind: 'set', at: ['systemPrompt'], to: 'be kind' }), { on: 'agent.before' })],
      { lacks: ['agent.before'] },
    );
    expect(outcome.payload).toEqual({ prompt: 'p' });
    expect(outcome.runs[0]!.ignored?.map(({ why }) => why)).toEqual(['may not be changed']);
  });
});

test('the test dialects are in the fixed order', () => {
  expect(ALL.map(({ name }) => name)).toEqual([
    'goose',
    'opta',
    'claude-code',
    'claude-agent-sdk',
    'opencode',
    'oh-my-pi',
    'own',
  ]);
});
