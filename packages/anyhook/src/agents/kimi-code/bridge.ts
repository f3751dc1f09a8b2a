/** A block of `[[hooks]]` tables at the end of its settings, where TOML allows a list of tables to continue. */

import { join } from 'node:path';
import { stringify } from 'smol-toml';
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
    'StopFailure',
    'Notification',
    'PreCompact',
    'PostCompact',
  ],
};
const entries = entriesOf(BRIDGED, ({ command, hostMs }) => ({ command, timeout: hostMs / 1000 }));

export const bridge: Agent['bridge'] = ({ home }) => [
  {
    kind: 'block',
    file: join(home, '.kimi-code', 'config.toml'),
    text: (setup) =>
      stringify({ hooks: Object.entries(entries(setup)).map(([event, entry]) => ({ event, ...entry })) }),
  },
];
