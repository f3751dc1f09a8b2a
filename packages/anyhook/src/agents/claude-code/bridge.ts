import { isAbsolute, join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import type { InstallLocation } from '../shared/bridge.ts';
import { entriesOf } from '../shared/entries.ts';

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

/** Of a project the local file: a path of this machine has no place in one that is shared. */
export const bridge: Agent['bridge'] = (where) => [
  {
    kind: 'entries',
    file:
      where.scope === 'project'
        ? join(where.cwd, '.claude', 'settings.local.json')
        : join(claudeFolder(where), 'settings.json'),
    entries: entriesOf(BRIDGED, ({ command, hostMs, isClosed }) => ({
      hooks: [{ type: 'command', command, timeout: hostMs / 1000, ...(isClosed && { onFailure: 'block' }) }],
    })),
  },
];
