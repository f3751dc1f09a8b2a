/** Entries in `hooks.json`: a flat list per word, and a version beside them. */
import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { type BridgedWords, entriesOf } from '../shared/entries.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';

/** `beforeShellExecution` and the like are second words for the same call: bridged, a guard would hear it twice. */
const BRIDGED: BridgedWords = {
  guard: 'preToolUse',
  shell: 'any',
  words: [
    'sessionStart',
    'beforeSubmitPrompt',
    'preToolUse',
    'postToolUse',
    'postToolUseFailure',
    'afterFileEdit',
    'subagentStart',
    'subagentStop',
    'stop',
    'preCompact',
    'sessionEnd',
  ],
};

const entries = entriesOf(BRIDGED, ({ command, hostMs, isClosed }) => ({
  command,
  timeout: hostMs / 1000,
  ...(isClosed && { failClosed: true }),
}));

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'entries',
    file: join(scope === 'project' ? cwd : home, '.cursor', 'hooks.json'),
    beside: { version: 1 },
    entries,
  },
];

export const managedTier: ManagedTier = {
  pieces: (root) => [
    { kind: 'entries', file: join(root, 'etc/cursor/hooks.json'), beside: { version: 1 }, entries },
  ],
  holds: 'The hooks of the enterprise file run before those of the team, the project and the user.',
  leaves: 'To start another build of the agent, or one that has been changed.',
};
