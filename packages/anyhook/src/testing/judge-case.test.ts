import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../dialects.ts';
import type { Event } from '../events/event.ts';
import type { Reply } from '../events/exchange.ts';
import { event, judgeCase } from './index.ts';

const spoken = DIALECTS.filter(({ name }) => ['goose', 'opta', 'claude-code', 'anyhook'].includes(name));
const before = event('tool.before', { tool: 'shell', input: { command: 'git push' } });
const exited = (code: number, stdout = '', stderr = ''): Reply => ({ kind: 'exited', code, stdout, stderr });
const verdicts = async (reply: Reply, about: Event = before) =>
  Object.fromEntries(
    (await judgeCase({ event: about, hook: () => reply, dialects: spoken, expected: {} })).map((one) => [
      one.dialect,
      one.verdict,
    ]),
  );

describe('one answer, judged by several dialects', () => {
  test('empty output objects in no dialect', async () => {
    expect(await verdicts(exited(0))).toEqual({
      goose: 'none',
      opta: 'none',
      'claude-code': 'none',
      anyhook: 'none',
    });
  });

  test('exit code 2 refuses everywhere, exit code 1 only in some dialects', async () => {
    expect(await verdicts(exited(2, '', 'no'))).toEqual({
      goose: 'deny',
      opta: 'deny',
      'claude-code': 'deny',
      anyhook: 'deny',
    });
    expect(await verdicts(exited(1, '', 'no'))).toEqual({
      goose: 'none',
      opta: 'deny',
      'claude-code': 'none',
      anyhook: 'deny',
    });
  });

  test('each dialect applies its own failure rule to a killed hook', async () => {
    expect(await verdicts({ kind: 'broken', why: { kind: 'killed', detail: 'SIGSEGV' } })).toEqual({
      goose: 'none',
      opta: 'deny',
      'claude-code': 'none',
      anyhook: 'deny',
    });
  });

  test('a dialect without the event is unheard', async () => {
    const edited = event('file.edited', { file: 'a.ts' });
    expect((await verdicts(exited(0), edited))['opta']).toBe('unheard');
  });

  test('reports dialects that judge differently than expected', async () => {
    const judged = await judgeCase({
      event: before,
      hook: () => exited(1),
      dialects: spoken,
      expected: { goose: 'deny', opta: 'deny', 'claude-code': 'none', anyhook: 'deny' },
    });
    expect(judged.filter(({ agrees }) => !agrees).map(({ dialect }) => dialect)).toEqual(['goose']);
  });
});
