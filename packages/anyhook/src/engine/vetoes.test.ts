/**
 * An approval skips the host's own permission prompt. The hooks that would refuse at that prompt run anyway.
 */

import { expect, test } from 'vitest';
import type { Event } from '../events/event.ts';
import { ALL } from './fixtures/dialects.ts';
import { before, go, hook, inputOf } from './fixtures/stage.ts';

const APPROVE = `printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`;
const refuseDd = (asked: Event) =>
  String(inputOf(asked)['command']).includes('dd if=') ? [{ kind: 'deny', reason: 'no dd' }] : [];
const vetoing = (fn: (asked: Event) => unknown = refuseDd) =>
  hook('own', fn, { id: 'veto', on: 'tool.permission' });
const approving = () => hook('claude-code', APPROVE, { id: 'approver' });

test('a permission hook of another dialect refuses a call that a hook approved', async () => {
  const outcome = await go(before('dd if=/dev/zero of=disk'), [approving(), vetoing()]);
  expect([outcome.verdict, outcome.reasons.map(({ by }) => by), outcome.voided]).toEqual([
    'deny',
    ['veto'],
    ['approver'],
  ]);
});

test('an approval stands when the permission hooks have no objection', async () => {
  const outcome = await go(before('ls'), [approving(), vetoing()]);
  expect([outcome.verdict, outcome.voided]).toEqual(['allow', []]);
  expect(outcome.runs.map((run) => run.hook)).toEqual(['approver', 'veto']);
});

test('a permission hook does not run for a call without an approval, because the host asks its user itself', async () => {
  const silent = hook('claude-code', 'exit 0', { id: 'silent' });
  const outcome = await go(before('dd if=/dev/zero of=disk'), [silent, vetoing()]);
  expect([outcome.verdict, outcome.runs.map((run) => run.hook)]).toEqual(['none', ['silent']]);
});

test('a permission hook whose failure blocks refuses an approved call', async () => {
  const outcome = await go(before('ls'), [
    approving(),
    {
      ...vetoing(() => {
        throw new Error('broken');
      }),
      onFailure: 'block',
    },
  ]);
  expect(outcome.verdict).toBe('deny');
});

test('a permission hook that changes the input turns the approval into a question', async () => {
  const change = hook('own', () => [{ kind: 'set', at: ['input', 'command'], to: 'ls -l' }], {
    id: 'changer',
    on: 'tool.permission',
  });
  const outcome = await go(before('ls'), [approving(), change]);
  expect([outcome.verdict, outcome.payload['input']]).toEqual(['ask', { command: 'ls' }]);
  expect(outcome.reasons).toEqual([{ by: 'changer', text: 'changer wants to change the approved call' }]);
});

test('a dialect whose approvals skip its own permission hooks keeps that rule among its own hooks only', async () => {
  const own = hook('claude-code', 'echo no >&2; exit 2', { id: 'own', on: 'PermissionRequest' });
  const dialects = ALL.map((one) =>
    one.name === 'claude-code' ? { ...one, allowSkipsOwnQuestions: true as const } : one,
  );
  expect((await go(before('ls'), [approving(), own], { dialects })).verdict).toBe('allow');
  const other = hook('own', () => [{ kind: 'allow' }], { id: 'other' });
  expect((await go(before('ls'), [other, own], { dialects })).verdict).toBe('deny');
});
