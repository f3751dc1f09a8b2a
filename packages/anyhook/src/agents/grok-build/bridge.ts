/** A separate file in its hooks folder. */

import { join } from 'node:path';
import { stringify } from 'smol-toml';
import type { Agent } from '../shared/agent.ts';
import type { AgentSetup } from '../shared/bridge.ts';
import { type BridgedWords, entriesOf } from '../shared/entries.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';

const BRIDGED: BridgedWords = {
  guard: 'PreToolUse',
  shell: 'any',
  reading: 'json',
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

export const managedTier: ManagedTier = {
  pieces: (root) => [
    {
      kind: 'block',
      file: join(root, 'etc/grok/requirements.toml'),
      text: (setup) => stringify({ hooks: hooks(setup) }),
    },
  ],
  holds:
    'Hooks in the requirements file of root are enforced. Users cannot disable them one by one, and no user entry skips them.',
  leaves: 'To start another or a modified build of the agent.',
};
