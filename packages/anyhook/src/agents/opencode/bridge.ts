import { isAbsolute, join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import type { AgentSetup, InstallLocation } from '../shared/bridge.ts';
import { moduleHead, opened, sayWhy } from '../shared/module-file.ts';

export function openCodeFolder({ home, env }: Omit<InstallLocation, 'scope'>): string {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'opencode');
}

export const bridge: Agent['bridge'] = (where) => {
  const folder = where.scope === 'project' ? join(where.cwd, '.opencode') : openCodeFolder(where);
  return [{ kind: 'whole', file: join(folder, 'plugin', 'anyhook.js'), text }];
};

const REFUSE = `    const refuse = async () => {
      throw new Error(\`refused: \${why}\`);
    };
    return { 'tool.execute.before': refuse };`;

const text = (setup: AgentSetup): string => `${moduleHead(setup)}export const anyhook = async (input) => {
  try {
    return ${opened(setup, 'input')};
  } catch (error) {
${sayWhy}${setup.failure === 'closed' ? REFUSE : '    return {};'}
  }
};
`;
