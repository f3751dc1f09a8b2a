import { isAbsolute, join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import type { InstallLocation } from '../shared/bridge.ts';
import { entriesOf } from '../shared/entries.ts';

const BRIDGED = {
  /** `$SHELL -lc` */
  shell: 'any',
  guard: 'PreToolUse',
  words: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
  ],
  times: { SessionEnd: { host: 3_000, ours: 2_500 } },
} as const;

export function codexFolder({ scope, home, cwd, env }: InstallLocation): string {
  const named = env['CODEX_HOME'] ?? '';
  return scope === 'project' ? join(cwd, '.codex') : isAbsolute(named) ? named : join(home, '.codex');
}

export const bridge: Agent['bridge'] = (where) => [
  {
    kind: 'entries',
    file: join(codexFolder(where), 'hooks.json'),
    entries: entriesOf(BRIDGED, ({ command, hostMs }) => ({
      hooks: [{ type: 'command', command, timeout: hostMs / 1000 }],
    })),
  },
];
