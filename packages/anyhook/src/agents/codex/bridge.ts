import { isAbsolute, join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
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

export const bridge: Agent['bridge'] = ({ scope, home, cwd, env }) => {
  const named = env['CODEX_HOME'] ?? '';
  const user = isAbsolute(named) ? named : join(home, '.codex');
  return [
    {
      kind: 'entries',
      file: join(scope === 'project' ? join(cwd, '.codex') : user, 'hooks.json'),
      entries: entriesOf(BRIDGED, ({ command, hostMs }) => ({
        hooks: [{ type: 'command', command, timeout: hostMs / 1000 }],
      })),
    },
  ];
};
