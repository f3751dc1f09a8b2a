import { isAbsolute, join } from 'node:path';
import { stringify } from 'smol-toml';
import type { Agent } from '../shared/agent.ts';
import type { InstallLocation } from '../shared/bridge.ts';
import { MANAGED_FOLDER } from '../shared/client-command.ts';
import { entriesOf } from '../shared/entries.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';

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

/** Its review screen and status line show the status message instead of a name, and read no other field for that. */
const entries = entriesOf(BRIDGED, ({ command, hostMs }) => ({
  hooks: [{ type: 'command', command, timeout: hostMs / 1000, statusMessage: 'anyhook' }],
}));

export const bridge: Agent['bridge'] = (where) => [
  {
    kind: 'entries',
    file: join(codexFolder(where), 'hooks.json'),
    entries,
  },
];

/** Its managed hooks are tables of the requirements; `managed_dir` contains their programs. */
export const managedTier: ManagedTier = {
  pieces: (root) => [
    {
      kind: 'block',
      file: join(root, 'etc/codex/requirements.toml'),
      text: (setup) =>
        stringify({
          hooks: {
            managed_dir: join(root, MANAGED_FOLDER),
            ...Object.fromEntries(Object.entries(entries(setup)).map(([word, group]) => [word, [group]])),
          },
        }),
    },
  ],
  holds:
    'Hooks in the requirements file run without a trust question, and users cannot disable them one by one.',
  leaves: 'To start another or a modified build of the agent.',
};
