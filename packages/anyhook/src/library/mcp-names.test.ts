/** A hook that names a tool of an MCP server, in any agent's syntax, is called in every agent, whatever name the agent uses. */

import { expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { ground } from './fixtures/ground.ts';

const SAYS = 'echo "$(cat)" >> told; echo no >&2; exit 2';
const settings = (matcher: string) => ({
  'home/.claude/settings.json': {
    hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: SAYS }] }] },
  },
});
/** The name that each agent gives to the tool `web` of the server `brave-search`. */
const CALLED: Readonly<Record<string, string>> = {
  'claude-code': 'mcp__brave-search__web',
  codex: 'mcp__brave-search__web',
  'gemini-cli': 'mcp_brave-search_web',
  'grok-build': 'brave-search__web',
  goose: 'brave-search__web',
  'copilot-cli': 'brave-search-web',
  'oh-my-pi': 'mcp__brave-search_web',
  pi: 'mcp__brave_search__web',
  opencode: 'brave-search_web',
  'our-own': 'mcp__brave-search__web',
};
const fired = async (host: string, matcher: string, tool: string) => {
  const place = ground(settings(matcher));
  const hooks = await place.open({ host: { name: host, can: EVERYTHING } });
  const { proceed, payload } = await hooks.fire({
    name: 'tool.before',
    payload: { tool, input: { q: 'x' } },
  });
  await hooks.close();
  return { proceed, tool: payload.tool };
};

test.each(Object.entries(CALLED))('a hook is called in %s, which names the tool %s', async (host, tool) => {
  const matchers = ['mcp__brave-search__web', 'mcp__brave-search__.*', '^mcp__'];
  const found = await Promise.all(matchers.map((matcher) => fired(host, matcher, tool)));
  expect(found).toEqual(matchers.map(() => ({ proceed: 'no', tool })));
});

test('a hook is not called for another server, another tool, or a built-in tool', async () => {
  const others = [
    ['copilot-cli', 'brave-other-web'],
    ['grok-build', 'brave-search__other'],
    ['gemini-cli', 'mcp_db_web'],
    ['pi', 'mcp__brave_other__web'],
    ['copilot-cli', 'report_intent'],
    ['opencode', 'plan_exit'],
  ] as const;
  const found = await Promise.all(others.map(([host, tool]) => fired(host, 'mcp__brave-search__web', tool)));
  expect(found).toEqual(others.map(([, tool]) => ({ proceed: 'yes', tool })));
});

test('in OpenCode, where names are ambiguous, a hook for all server tools is called for every possible server tool', async () => {
  const found = await Promise.all(
    ['plan_exit', 'bash', 'other'].map((tool) => fired('opencode', '^mcp__', tool)),
  );
  expect(found.map(({ proceed }) => proceed)).toEqual(['no', 'yes', 'yes']);
});

test('an oh-my-pi module that compares the name of a server tool refuses it in OpenCode, if OpenCode’s settings name the server', async () => {
  const guard = `export default (pi) => pi.on('tool_call', ({ toolName }) =>
    toolName === 'mcp__git_hub_create_issue' ? { block: true, reason: 'no' } : undefined);`;
  const proceeds = async (settings: object) => {
    const place = ground({ 'home/.omp/agent/hooks/pre/guard.js': guard, ...settings });
    const hooks = await place.open({ host: { name: 'opencode', can: EVERYTHING } });
    const { proceed, payload } = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'git_hub_create_issue', input: {} },
    });
    await hooks.close();
    return [proceed, payload.tool];
  };
  const server = { type: 'local', command: ['x'] };
  const tool = 'git_hub_create_issue';
  expect(
    await Promise.all([
      proceeds({ 'home/.config/opencode/opencode.json': { mcp: { git_hub: server } } }),
      proceeds({ 'project/opencode.jsonc': { mcp: { git_hub: server } } }),
      proceeds({ 'home/.config/opencode/opencode.json': { mcp: { other: server } } }),
      proceeds({ 'home/.config/opencode/opencode.json': '{ "mcp": ' }),
    ]),
  ).toEqual([
    ['no', tool],
    ['no', tool],
    ['yes', tool],
    ['yes', tool],
  ]);
});
