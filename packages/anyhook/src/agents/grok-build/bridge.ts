/** A file of its own among its hooks. */
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
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'Notification',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
  ],
};
const entries = entriesOf(BRIDGED, ({ command, hostMs }) => ({
  hooks: [{ type: 'command', command, timeout: hostMs / 1000 }],
}));
const hooks = (setup: AgentSetup) =>
  Object.fromEntries(Object.entries(entries(setup)).map(([word, group]) => [word, [group]]));

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'whole',
    file: join(scope === 'project' ? cwd : home, '.grok', 'hooks', 'anyhook.json'),
    text: (setup) => `${JSON.stringify({ hooks: hooks(setup) }, null, 2)}\n`,
  },
];
