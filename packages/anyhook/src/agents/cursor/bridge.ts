/** Entries in `hooks.json`: a flat list per word, and a version beside them. */
import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { type BridgedWords, entriesOf } from '../shared/entries.ts';

/** `beforeShellExecution` and the like are second words for the same call: bridged, a guard would hear it twice. */
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

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => [
  {
    kind: 'entries',
    file: join(scope === 'project' ? cwd : home, '.cursor', 'hooks.json'),
    beside: { version: 1 },
    entries: entriesOf(BRIDGED, ({ command, hostMs, isClosed }) => ({
      command,
      timeout: hostMs / 1000,
      ...(isClosed && { failClosed: true }),
    })),
  },
];
