import { describe, expect, test } from 'vitest';
import { show } from '../../../events/problems.ts';
import { anyhook } from './index.ts';

const read = (entry: object, event = 'tool.before') =>
  anyhook.config.read(JSON.stringify({ hooks: { [event]: [entry] } }), {
    layer: 'user',
    file: '/h/hooks.json',
  });
const PUSH = { match: 'shell(git push*)' };

describe('a rule over time', () => {
  test.each<readonly [object, string]>([
    [
      { requires: { earlier: 'shell(npm test)', succeeded: true, since: 'last edit' } },
      'refuses unless shell(npm test) succeeded since the last edit',
    ],
    [{ requires: { earlier: 'read', within: '30m' }, verdict: 'ask' }, 'asks unless read ran within 30m'],
    [{ limit: { times: 1, per: '1h', across: 'project' } }, 'refuses after 1 call per 1h in this project'],
    [{ limit: { times: 20 } }, 'refuses after 20 calls in this session'],
    [
      { limit: { times: 3, since: 'last prompt' } },
      'refuses after 3 calls in this session since the last prompt',
    ],
    [{ forbid: { after: 'danger:secrets' } }, 'refuses after danger:secrets in this session'],
    [
      { forbid: { after: 'fetch', since: 'last prompt' }, verdict: 'ask' },
      'asks after fetch in this session since the last prompt',
    ],
    [{ limit: { costUsd: 5 } }, 'refuses from $5 in this session'],
    [{ limit: { costUsd: 0.5 } }, 'refuses from $0.5 in this session'],
    [{ limit: { contextTokens: 150_000 }, verdict: 'ask' }, 'asks from 150,000 tokens in the context window'],
    [{ limit: { tokens: 2_000_000 } }, 'refuses from 2,000,000 tokens in this session'],
  ])('the entry %j is explained in one sentence', (entry, sentence) => {
    const { hooks, problems } = read({ ...PUSH, ...entry });
    expect(problems).toEqual([]);
    expect(hooks).toMatchObject([{ label: sentence, roles: ['guard', 'mutator'], run: { kind: 'rule' } }]);
  });

  test.each<readonly [object, string]>([
    [{ requires: {} }, 'has no "earlier"'],
    [{ requires: { earlier: 'shell(npm test' } }, '")" is missing'],
    [{ requires: { earlier: 'shel(npm test)' } }, 'no tool is called shel'],
    [{ requires: { earlier: 'shell', sinc: 'last edit' } }, 'unknown key "sinc"'],
    [{ requires: { earlier: 'shell', since: 'last edti' } }, 'is "last edti"'],
    [{ requires: { earlier: 'shell', within: '1 hour' } }, 'is "1 hour"'],
    [{ requires: { earlier: 'shell', within: '0m' } }, 'is "0m"'],
    [{ requires: { earlier: 'shell', within: '40d' } }, 'is "40d"'],
    [{ forbid: { after: 'read(.env*|*secret*)' } }, '"|" is literal here'],
    [{ forbid: { after: '' } }, 'is empty'],
    [{ forbid: { after: 'fetch', across: 'project' } }, 'is "project" without "within"'],
    [{ limit: { per: '1h' } }, 'has no "times"'],
    [{ limit: { times: -1 } }, 'is -1'],
    [{ limit: { times: 1, across: 'project' } }, 'is "project" without "per"'],
    [{ limit: { times: 1, per: '1h', across: 'project', since: 'last edit' } }, 'no meaning across sessions'],
    [{ limit: { tokens: 0 } }, 'is 0'],
    [{ limit: { costUsd: '5' } }, 'is "5"'],
    [{ limit: { costUsd: 0 } }, 'is 0'],
    [{ limit: { tokens: 5, costUsd: 5 } }, 'cannot be combined with "tokens"'],
    [{ limit: { tokens: 5, times: 1 } }, 'cannot be combined with "tokens"'],
    [{ limit: { tokens: 5, across: 'project', per: '1h' } }, 'cannot be combined with "tokens"'],
    [{ limit: { times: 1 }, forbid: { after: 'fetch' } }, 'has both "limit" and "forbid"'],
    [{ limit: { times: 1 }, run: 'true' }, 'a rule runs nothing'],
    [{ limit: { times: 1 }, background: true }, 'a rule runs nothing'],
    [{ limit: { times: 1 }, roles: ['observer'] }, 'a rule refuses'],
    [{ limit: { times: 1 }, verdict: 'allow' }, 'is "allow"'],
    [{ run: 'true', reason: 'because' }, 'only rules have it'],
  ])('the wrong entry %j is an error with its line, and its calls are refused', (entry, message) => {
    const { hooks, problems } = read({ ...PUSH, ...entry });
    expect(problems.map(show).join('\n')).toMatch(/hooks\.json:1/);
    expect(problems.map(({ message: text }) => text).join('\n')).toContain(message);
    if (!('roles' in entry) && !('background' in entry))
      expect(hooks).toMatchObject([{ run: { kind: 'missing' }, match: { names: ['shell'] } }]);
  });

  test('a rule on another event than tool.before is an error', () => {
    const { problems } = read({ limit: { times: 1 } }, 'turn.stop');
    expect(problems.map(({ message }) => message).join()).toContain('judges tool calls');
  });
});
