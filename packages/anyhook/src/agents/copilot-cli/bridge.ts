/** A separate hook file, for events whose payload names the event. */

import { join } from 'node:path';
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
const textOf = (byWord: Readonly<Record<string, object>>): string => {
  const hooks = Object.fromEntries(Object.entries(byWord).map(([word, entry]) => [word, [entry]]));
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
};
const text = (setup: AgentSetup): string => textOf(entries(setup));

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

/**
 * Its policy folder expects the command under `bash`. An entry with `command` fails, and Copilot then refuses every
 * call.
 */
const policy = entriesOf(BRIDGED, ({ command, hostMs }) => ({
  type: 'command',
  bash: command,
  timeoutSec: hostMs / 1000,
}));

export const managedTier: ManagedTier = {
  pieces: (root) => [
    {
      kind: 'whole',
      file: join(root, 'etc/github-copilot/policy.d/anyhook.json'),
      text: (setup) => textOf(policy(setup)),
    },
  ],
  holds:
    'Hooks in the policy folder run before all others, whether or not the folder is trusted. "disableAllHooks" does not affect them.',
  leaves: 'To start another or a modified build of the agent.',
};
