import { describe, expect, test } from 'vitest';
import { deny } from '../events/effects.ts';
import type { Run } from '../events/outcome.ts';
import { fire, hook, HOOKS } from './fixtures/fire.ts';
import { makeRecord, recordedText } from './record.ts';
import { createRedactor } from './redact.ts';

const CARD = {
  dialect: 'claude-code',
  on: 'PreToolUse',
  layer: 'project',
  file: '/home/me/project/.claude/settings.json',
  line: 12,
  roles: ['guard'],
  way: 'command',
  what: './guard.sh --strict',
};

describe('makeRecord', () => {
  test('a fire without effects is a short record that omits empty fields', () => {
    expect(JSON.parse(JSON.stringify(makeRecord(fire())))).toEqual({
      at: '2026-01-02T03:04:05.678Z',
      clockMs: 1234.568,
      tookMs: 4.25,
      host: { name: 'test-host', version: '1.0.0' },
      event: 'tool.before',
      ids: { session: 's-1', call: 'call_1' },
      scene: { cwd: '/home/me/project', model: 'a-model' },
      verdict: 'none',
      hooks: [
        { hook: { id: 'guard', ...CARD }, round: 1, ms: 1.5 },
        { hook: { id: 'format', ...CARD }, round: 1, ms: 1.5 },
        { hook: { id: 'watch', ...CARD, roles: ['observer'] }, round: 1, ms: 1.5 },
      ],
      before: { tool: 'shell', callId: 'call_1', input: { command: 'npm test' } },
    });
  });

  test("the record of a refusal contains each hook's answer, why one was skipped, and what was printed", () => {
    const shadowed = hook('shadow', { shadow: true });
    const record = makeRecord({
      ...fire(
        { command: 'rm -rf /' },
        {
          verdict: 'deny',
          reasons: [{ by: 'guard', text: 'not that' }],
          changed: [{ by: 'format', at: 'input.command' }],
          payload: { tool: 'shell', input: { command: 'rm -rf ./build' } },
          voided: ['early'],
          said: [{ by: 'guard', to: 'person', text: 'look here' }],
          flow: { halt: 'enough' },
          lost: ['ask'],
          unmatched: ['other'],
          aborted: true,
          paused: true,
          runs: [
            { hook: 'guard', round: 2, ms: 3, answer: { effects: [deny('not that')], printed: 'checked' } },
            { hook: 'shadow', round: 1, ms: 1, answer: { effects: [deny('me too')] } },
            { hook: 'later', round: 1, ms: 0, skipped: 'the matcher names another tool' },
            {
              hook: 'format',
              round: 1,
              ms: 9,
              answer: { effects: [], failed: { kind: 'timed-out', detail: '5 s' }, notes: { held: true } },
              failedOpen: true,
              ignored: [{ effect: deny(), why: 'it only observes' }],
            },
          ],
        },
      ),
      hookOf: (id) => [...HOOKS, shadowed].find((known) => known.id === id),
    });
    expect(JSON.parse(JSON.stringify(record))).toMatchObject({
      verdict: 'deny',
      reasons: [{ by: 'guard', text: 'not that' }],
      changed: [{ by: 'format', at: 'input.command' }],
      voided: ['early'],
      said: [{ by: 'guard', to: 'person', text: 'look here' }],
      flow: { halt: 'enough' },
      lost: ['ask'],
      unmatched: ['other'],
      aborted: true,
      paused: true,
      shadow: ['shadow'],
      hooks: [
        {
          hook: { id: 'guard' },
          round: 2,
          effects: [{ kind: 'deny', reason: 'not that' }],
          printed: 'checked',
        },
        { hook: { id: 'shadow', shadow: true }, effects: [{ kind: 'deny', reason: 'me too' }] },
        { hook: { id: 'later' }, skipped: 'the matcher names another tool' },
        {
          hook: { id: 'format' },
          failed: { kind: 'timed-out', detail: '5 s' },
          failedOpen: true,
          ignored: [{ effect: { kind: 'deny' }, why: 'it only observes' }],
          notes: { held: true },
        },
      ],
      before: { input: { command: 'rm -rf /' } },
      after: { tool: 'shell', input: { command: 'rm -rf ./build' } },
    });
  });

  describe('of hooks that all have nothing to say', () => {
    const run = (id: string): Run => ({ hook: id, round: 1, ms: 0, answer: { effects: [] } });
    const runs = HOOKS.map(({ id }) => run(id));
    const hooksIn = (all: readonly Run[]) => makeRecord(fire({}, { runs: all })).hooks;
    const fixed = Object.freeze(runs.map((one) => Object.freeze(one)));

    test('hooks without effects share one serialised list across fires', () => {
      const redactor = createRedactor();
      const line = (all: readonly Run[]) =>
        redactor.plain(makeRecord(fire({ command: 'npm test' }, { runs: all }))).bytes.toString();
      expect(hooksIn(fixed)).toBe(hooksIn(fixed));
      expect([line(fixed), line(fixed)]).toEqual([line([...runs]), line([...runs])]);
    });

    test.each<[string, readonly Run[]]>([
      ['somebody could write to the list', [...fixed]],
      ['somebody could write to a run', Object.freeze([...fixed, run('guard')])],
      ['one of them took its time', Object.freeze([Object.freeze({ ...run('guard'), ms: 2 })])],
      [
        'one of them said something',
        Object.freeze([Object.freeze({ ...run('guard'), answer: { effects: [deny('no')] } })]),
      ],
    ])('the list of hooks is built again if %s', (_title, all) => {
      expect(hooksIn(all)).not.toBe(hooksIn(all));
    });
  });

  test('formats times before 1970 and across a second as Date does', () => {
    for (const atMs of [-1, 0, 999, 1000, 1_767_323_045_000, 1_767_323_045_999])
      expect(makeRecord({ ...fire(), atMs }).at).toBe(new Date(atMs).toISOString());
  });

  test('formats a text that was cut', () => {
    expect(recordedText('whole')).toBe('whole');
    expect(recordedText({ cut: 'the start', bytes: 9000, sha256: 'abcdef0123456789' })).toBe(
      'the start… [9000 bytes, sha256 abcdef012345]',
    );
  });
});
