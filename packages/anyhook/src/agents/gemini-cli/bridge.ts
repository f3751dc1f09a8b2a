import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { entriesOf } from '../shared/entries.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';

const BRIDGED = {
  /** `bash -c` */
  shell: 'posix',
  guard: 'BeforeTool',
  words: [
    'SessionStart',
    'BeforeAgent',
    'BeforeTool',
    'AfterTool',
    'AfterAgent',
    'Notification',
    'SessionEnd',
  ],
} as const;

const entries = entriesOf(BRIDGED, ({ command, hostMs }) => ({
  matcher: '*',
  hooks: [{ type: 'command', name: 'anyhook', command, timeout: hostMs }],
}));

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'entries',
    file: join(scope === 'project' ? cwd : home, '.gemini', 'settings.json'),
    entries,
  },
];

export const managedTier: ManagedTier = {
  pieces: (root) => [{ kind: 'entries', file: join(root, 'etc/gemini-cli/settings.json'), entries }],
  holds: 'System settings are merged last. Their hooks are added to those of the user and the project.',
  leaves:
    'To point it at another file (GEMINI_CLI_SYSTEM_SETTINGS_PATH), and to disable a hook by name ("hooksConfig").',
};
