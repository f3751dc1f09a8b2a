import { expect, test } from 'vitest';
import { mcpName, mcpToolsIn } from './mcp-names.ts';

test.each([
  ['mcp__db__query', undefined, [{ server: 'db', tool: 'query' }]],
  ['mcp__db__run__all', undefined, [{ server: 'db', tool: 'run__all' }]],
  ['mcp__db', undefined, []],
  ['mcp____x', undefined, []],
  ['mcp__db__', undefined, []],
  ['db__query', { prefix: '', between: '__' }, [{ server: 'db', tool: 'query' }]],
  ['query', { prefix: '', between: '__' }, []],
  [
    'brave-search-web',
    { prefix: '', between: '-' },
    [
      { server: 'brave', tool: 'search-web' },
      { server: 'brave-search', tool: 'web' },
    ],
  ],
  [
    'mcp__brave_search__web',
    { prefix: 'mcp__', between: '__', isPlain: true },
    [
      { server: 'brave_search', tool: 'web' },
      { server: 'brave-search', tool: 'web' },
    ],
  ],
  [
    'mcp__a_b__c_d',
    { prefix: 'mcp__', between: '__', isPlain: true },
    [
      { server: 'a_b', tool: 'c_d' },
      { server: 'a_b', tool: 'c-d' },
      { server: 'a-b', tool: 'c_d' },
      { server: 'a-b', tool: 'c-d' },
    ],
  ],
  ['mcp_db_query', { prefix: 'mcp_', between: '_' }, [{ server: 'db', tool: 'query' }]],
] as const)('splits %s into all its possible meanings', (name, words, tools) => {
  expect(mcpToolsIn(name, words)).toEqual(tools);
});

test('joins names as it splits them, and limits the number of splits', () => {
  const words = { prefix: 'mcp_', between: '_' };
  const name = `mcp_${'a_'.repeat(1_000)}z`;
  const found = mcpToolsIn(name, words);
  expect([found.length, new Set(found.map((one) => mcpName(one, words)))]).toEqual([8, new Set([name])]);
});

test('replaces special characters if the agent does', () => {
  const words = { prefix: 'mcp__', between: '__', isPlain: true } as const;
  expect(mcpName({ server: 'brave-search', tool: 'web.find' }, words)).toBe('mcp__brave_search__web_find');
});
