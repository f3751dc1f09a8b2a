import { isAbsolute, join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import type { InstallLocation } from '../shared/bridge.ts';
import { entriesOf } from '../shared/entries.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';

const BRIDGED = {
  /** `sh -c` */
  shell: 'posix',
  guard: 'PreToolUse',
  words: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PostToolUseFailure',
    'Notification',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'StopFailure',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
  ],
  times: { SessionEnd: { host: 10_000, ours: 9_000 } },
} as const;

export const claudeFolder = ({ home, env }: Omit<InstallLocation, 'scope'>): string => {
  const named = env['CLAUDE_CONFIG_DIR'] ?? '';
  return isAbsolute(named) ? named : join(home, '.claude');
};

const entries = entriesOf(BRIDGED, ({ command, hostMs, isClosed }) => ({
  hooks: [
    {
      type: 'command',
      command,
      timeout: hostMs / 1000,
      statusMessage: 'Running anyhook hooks',
      ...(isClosed && { onFailure: 'block' }),
    },
  ],
}));

/** For a project the local file, because a shared file must not contain paths of this machine. */
export const bridge: Agent['bridge'] = (where) => [
  {
    kind: 'entries',
    file:
      where.scope === 'project'
        ? join(where.cwd, '.claude', 'settings.local.json')
        : join(claudeFolder(where), 'settings.json'),
    entries,
  },
];

export const managedTier: ManagedTier = {
  pieces: (root) => [{ kind: 'entries', file: join(root, 'etc/claude-code/managed-settings.json'), entries }],
  holds:
    'Hooks in managed settings run in every session. "disableAllHooks" of a user or a project does not affect them, and no flag or variable moves the file.',
  leaves: 'To start another or a modified build of the agent.',
};
