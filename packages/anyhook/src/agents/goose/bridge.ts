/** A separate plugin, because Goose only runs hooks of plugins. */

import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import type { AgentSetup } from '../shared/bridge.ts';
import { entriesOf } from '../shared/entries.ts';

/** `BeforeShellExecution` and similar events fire for the same call. With both bridged, a guard would run twice. */
const BRIDGED = {
  shell: 'any',
  guard: 'PreToolUse',
  words: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'AfterFileEdit',
    'Stop',
    'SessionEnd',
  ],
} as const;
const entries = entriesOf(BRIDGED, ({ command, hostMs, isClosed }) => ({
  hooks: [{ type: 'command', command, timeout: hostMs / 1000, ...(isClosed && { on_failure: 'block' }) }],
}));
const hooks = (setup: AgentSetup) =>
  Object.fromEntries(Object.entries(entries(setup)).map(([word, group]) => [word, [group]]));

const MANIFEST = {
  name: 'anyhook',
  version: '1.0.0',
  description: 'Bridge to anyhook; removed by `anyhook uninstall goose`',
};

export const bridge: Agent['bridge'] = ({ scope, home, cwd }) => {
  const folder = join(scope === 'project' ? cwd : home, '.agents', 'plugins', 'anyhook');
  return [
    { kind: 'whole', file: join(folder, 'plugin.json'), text: () => printed(MANIFEST) },
    {
      kind: 'whole',
      file: join(folder, 'hooks', 'hooks.json'),
      text: (setup) => printed({ hooks: hooks(setup) }),
    },
  ];
};
const printed = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
