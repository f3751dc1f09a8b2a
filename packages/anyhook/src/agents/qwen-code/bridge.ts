import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { type BridgedWords, entriesOf } from '../shared/entries.ts';

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
};

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'entries',
    file: join(scope === 'project' ? cwd : home, '.qwen', 'settings.json'),
    entries: entriesOf(BRIDGED, ({ command, hostMs }) => ({
      hooks: [{ type: 'command', name: 'anyhook', command, timeout: hostMs / 1000 }],
    })),
  },
];
