import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from '../shared/agent.ts';
import type { AgentSetup, InstallLocation } from '../shared/bridge.ts';
import { MANAGED_FOLDER } from '../shared/client-command.ts';
import type { ManagedTier } from '../shared/managed-tier.ts';
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
`;

/**
 * OpenCode 1 calls `server`, OpenCode 2 calls `setup`. Both read the default export, and files have to name an id. Before 1.14,
 * OpenCode called all exports in alphabetical order until one was not a function.
 */
const text = (setup: AgentSetup): string => `${moduleHead(setup)}const server = async (input) => {
  try {
    return ${opened(setup, 'input')};
  } catch (error) {
${sayWhy}${setup.failure === 'closed' ? `${REFUSE}    return { 'tool.execute.before': refuse };` : '    return {};'}
  }
};
const setup = async (context) => {
  try {
    return ${opened(setup, 'context')};
  } catch (error) {
${sayWhy}${setup.failure === 'closed' ? `${REFUSE}    await context.tool.hook('execute.before', refuse);\n` : ''}  }
};
export { server as anyhook };
export default { id: 'anyhook', server, setup };
`;

/** Its managed settings name the module. A file of that name that is not ours is kept. */
export const managedTier: ManagedTier = {
  pieces: (root) => {
    const module = join(root, MANAGED_FOLDER, 'anyhook.js');
    const settings = { $schema: 'https://opencode.ai/config.json', plugin: [pathToFileURL(module).href] };
    return [
      {
        kind: 'whole',
        file: join(root, 'etc/opencode/opencode.json'),
        text: () => `${JSON.stringify(settings, null, 2)}\n`,
      },
      { kind: 'whole', file: module, text },
    ];
  },
  holds:
    'Managed settings are merged last. Their plugin is loaded in addition to those of the user and the project.',
  leaves:
    'To start it without plugins, if its version has a flag or variable for that, and to start another build of it.',
};
