import { describe, expect, test } from 'vitest';
import type { Ancestor } from './ancestors.ts';
import { openDepthLimit } from './depth-limit.ts';

describe('a family of hooks inside hooks', () => {
  test('nested hooks share one budget across processes, and the first level is free', () => {
    const first = openDepthLimit({}, { above: [] });
    expect(Array.from({ length: 60 }, () => first.spend())).toEqual(Array(60).fill(''));
    const [a, b] = [openDepthLimit(first.env, { above: [] }), openDepthLimit(first.env, { above: [] })];
    const spent = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? a : b).spend());
    expect(spent.filter((why) => why === '')).toHaveLength(50);
    expect(spent.at(50)).toBe('nested hooks have run 50 times; the limit is 50');
    first.close();
  });

  test('nested hooks are limited to three levels, and no outside value changes or resets that', () => {
    const deep = (depth: string) =>
      openDepthLimit({ ANYHOOK_DEPTH: depth, ANYHOOK_LINEAGE: '../../etc' }, { above: [] });
    expect(deep('3').spend()).toBe('nested hooks are 3 levels deep; the limit is 3');
    expect(deep('1e9').spend()).not.toBe('');
    for (const odd of ['-5', 'NaN', '', 'x']) expect(deep(odd).env['ANYHOOK_DEPTH']).toBe('1');
    expect(deep('1').env['ANYHOOK_LINEAGE']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('nested hooks are recognised by their ancestors if a hook cleared its environment', () => {
    const helper = { pid: 7, argv: ['node', '/x/dist/runners/command/helper.mjs', 'a1'], env: {} };
    const session = { pid: 7, argv: ['node', '/x/dist/daemon/session-program.js'], env: {} };
    const bridge = { pid: 7, argv: ['node', '/x/bin/anyhook.cjs', 'bridge', 'codex'], env: {} };
    const fire = { pid: 7, argv: ['node', '/x/bin/anyhook.cjs', 'fire', '--as', 'codex'], env: {} };
    const [plain, agent] = [
      ['sh', '-c', 'anyhook fire'],
      ['node', 'agent.mjs'],
    ].map((argv) => ({ pid: 7, argv, env: {} }));
    const told = { pid: 7, argv: ['sh'], env: { ANYHOOK_DEPTH: '2', ANYHOOK_LINEAGE: 'a'.repeat(32) } };
    const depthBelow = (...above: readonly Ancestor[]) => openDepthLimit({}, { above }).env['ANYHOOK_DEPTH'];
    expect([
      depthBelow(plain!, agent!),
      depthBelow(plain!, helper, agent!),
      depthBelow(plain!, helper, session, agent!),
      depthBelow(plain!, helper, agent!, fire, agent!),
      depthBelow(plain!, bridge, agent!, helper, bridge, agent!),
      depthBelow(plain!, told, helper, agent!),
    ]).toEqual(['1', '2', '2', '3', '3', '3']);
    expect(openDepthLimit({}, { above: [told] }).env['ANYHOOK_LINEAGE']).toBe('a'.repeat(32));
  });
});
