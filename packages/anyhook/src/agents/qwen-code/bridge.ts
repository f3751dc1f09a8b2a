import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { type BridgedWords, entriesOf } from '../shared/entries.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';

/** Qwen Code gives up on these events after 60 seconds, whatever timeout the entry has, and then lets the call run. */
const GIVES_UP = { host: 60_000, ours: 57_000 };
const LIMITED = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'Notification',
] as const;

const BRIDGED: BridgedWords = {
  guard: 'PreToolUse',
  shell: 'any',
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
  ],
  times: Object.fromEntries(LIMITED.map((word) => [word, GIVES_UP])),
};

const entries = entriesOf(BRIDGED, ({ command, hostMs }) => ({
  hooks: [{ type: 'command', name: 'anyhook', command, timeout: hostMs / 1000 }],
}));

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'entries',
    file: join(scope === 'project' ? cwd : home, '.qwen', 'settings.json'),
    entries,
  },
];

export const managedTier: ManagedTier = {
  pieces: (root) => [{ kind: 'entries', file: join(root, 'etc/qwen-code/settings.json'), entries }],
  holds: 'System settings are merged last. Their hooks are added to those of the user and the project.',
  leaves: 'To point it at another file (QWEN_CODE_SYSTEM_SETTINGS_PATH), and to set "disableAllHooks".',
};
