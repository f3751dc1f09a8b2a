/** Entries in `hooks.json`: a flat list per event, and a version. */

import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { type BridgedWords, entriesOf } from '../shared/entries.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';

/** `beforeShellExecution` and similar events fire for the same call. With both bridged, a guard would run twice. */
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
  holds: 'Hooks in the enterprise file run before those of the team, the project and the user.',
  leaves: 'To start another or a modified build of the agent.',
};
