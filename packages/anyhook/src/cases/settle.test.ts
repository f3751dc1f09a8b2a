import { describe, expect, test } from 'vitest';
import { type Ruling, silentOutcome } from '../events/outcome.ts';
import { caseResult } from './settle.ts';
import type { SuiteCase, Suite } from './suite.ts';

const suite: Suite = { file: 'f', subject: { kind: 'settings' }, hosts: ['claude-code', 'goose'], cases: [] };
const payload = { tool: 'shell', input: { command: 'ls' } };
const one = (expected: SuiteCase['expect']): SuiteCase => ({
  name: 'n',
  line: 1,
  event: 'tool.before',
  payload,
  expect: expected,
});
const said = (verdict: Ruling['verdict'], more: Partial<Ruling> = {}): Ruling => ({
  ...silentOutcome({ name: 'tool.before', payload }),
  verdict,
  reasons: [{ by: 'h', text: 'because' }],
  ...more,
});
const failures = (expected: SuiteCase['expect'], outcome: Ruling) =>
  caseResult(suite, one(expected), [{ host: '', outcome }]).failures;

describe('what came of a case', () => {
  test('is what each agent would make of it: an ask is a refusal where nobody can ask', () => {
    expect(
      caseResult(suite, one({ verdict: 'ask', hosts: {} }), [{ host: '', outcome: said('ask') }]).verdicts,
    ).toEqual([
      { host: 'claude-code', verdict: 'ask', agrees: true },
      { host: 'goose', verdict: 'deny', agrees: true, from: 'ask' },
    ]);
  });

  test('fails by another verdict, another reason, another input, or an agent that makes something else of it', () => {
    expect(failures({ verdict: 'allow', hosts: {} }, said('deny'))).toEqual([
      'expected allow, got deny: because',
    ]);
    expect(failures({ verdict: 'deny', reason: 'else', hosts: {} }, said('deny'))).toEqual([
      'expected the reason to hold "else", got "because"',
    ]);
    expect(failures({ verdict: 'deny', input: { command: 'rm' }, hosts: {} }, said('deny'))).toEqual([
      'expected the input {"command":"rm"}, got {"command":"ls"}',
    ]);
    expect(failures({ verdict: 'ask', hosts: { goose: 'ask' } }, said('ask'))).toEqual([
      'goose: expected ask, got deny',
    ]);
    expect(failures({ verdict: 'deny', hosts: { opta: 'deny' } }, said('deny'))).toEqual([
      'opta: was not judged; add it to hosts or as',
    ]);
    expect(failures({ verdict: 'deny', reason: 'because', hosts: {} }, said('deny'))).toEqual([]);
  });

  test('fails where a refusal is a hook that broke, and no answer', () => {
    const broke = said('deny', { reasons: [{ by: 'h', text: 'timed out', broken: true }] });
    expect(failures({ verdict: 'deny', hosts: {} }, broke)).toEqual([
      'refused because a hook broke, not by an answer: timed out (h broke)',
    ]);
  });
});
