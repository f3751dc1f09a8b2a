/** A file of its own among its hooks, with the words whose payloads say which event it is. */
import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import type { AgentSetup } from '../shared/bridge.ts';
import { type BridgedWords, entriesOf } from '../shared/entries.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';

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

const text = (setup: AgentSetup): string =>
  `${JSON.stringify({ version: 1, hooks: hooks(setup) }, null, 2)}\n`;

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'whole',
    file:
      scope === 'project'
        ? join(cwd, '.github', 'hooks', 'anyhook.json')
        : join(home, '.copilot', 'hooks', 'anyhook.json'),
    text,
  },
];

export const managedTier: ManagedTier = {
  pieces: (root) => [{ kind: 'whole', file: join(root, 'etc/github-copilot/policy.d/anyhook.json'), text }],
  holds:
    'The hooks of its policy folder run before all others, whether or not the folder is trusted; "disableAllHooks" does not touch them.',
  leaves: 'To start another build of the agent, or one that has been changed.',
};
