import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { entriesOf } from '../shared/entries.ts';

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

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'entries',
    file: join(scope === 'project' ? cwd : home, '.gemini', 'settings.json'),
    entries: entriesOf(BRIDGED, ({ command, hostMs }) => ({
      matcher: '*',
      hooks: [{ type: 'command', name: 'anyhook', command, timeout: hostMs }],
    })),
  },
];
