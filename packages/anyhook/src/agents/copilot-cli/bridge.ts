/** A file of its own among its hooks, with the words whose payloads say which event it is. */
import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import type { AgentSetup } from '../shared/bridge.ts';
import { type BridgedWords, entriesOf } from '../shared/entries.ts';

const BRIDGED: BridgedWords = {
  guard: 'PreToolUse',
  shell: 'any',
  words: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'SubagentStop',
    'Stop',
    'ErrorOccurred',
    'PreCompact',
    'SessionEnd',
  ],
};
const entries = entriesOf(BRIDGED, ({ command, hostMs }) => ({
  type: 'command',
  command,
  timeoutSec: hostMs / 1000,
}));
const hooks = (setup: AgentSetup) =>
  Object.fromEntries(Object.entries(entries(setup)).map(([word, entry]) => [word, [entry]]));

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'whole',
    file:
      scope === 'project'
        ? join(cwd, '.github', 'hooks', 'anyhook.json')
        : join(home, '.copilot', 'hooks', 'anyhook.json'),
    text: (setup) => `${JSON.stringify({ version: 1, hooks: hooks(setup) }, null, 2)}\n`,
  },
];
