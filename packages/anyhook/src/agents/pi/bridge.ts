/** pi and oh-my-pi load extensions in the same way, from folders with different names. */

import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import type { AgentSetup } from '../shared/bridge.ts';
import { moduleHead, opened, sayWhy } from '../shared/module-file.ts';

export const extensionIn =
  ({ user, project }: { readonly user: string; readonly project: string }): Agent['bridge'] =>
  ({ scope, home, cwd }) => {
    const folder = scope === 'project' ? join(cwd, project) : join(home, user);
    return [{ kind: 'whole', file: join(folder, 'extensions', 'anyhook.js'), text }];
  };

const REFUSE = "    pi.on('tool_call', () => ({ block: true, reason: `refused: ${why}` }));\n";

const text = (setup: AgentSetup): string => `${moduleHead(setup)}export default async function anyhook(pi) {
  try {
    ${opened(setup, 'pi')};
  } catch (error) {
${sayWhy}${setup.failure === 'closed' ? REFUSE : ''}  }
}
`;
