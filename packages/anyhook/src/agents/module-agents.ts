/** Agents that load us into their own process: OpenCode, pi, oh-my-pi. Each gets one small file. */
import { isAbsolute, join } from 'node:path';
import type { Bridge, Setup } from './bridge.ts';

/** First line of every file of ours: by it such a file is known, and not taken for somebody's plugin. */
export const MODULE_MARK =
  '// The bridge to anyhook; written by `anyhook install`, taken away by `anyhook uninstall`.';

const opencode: Bridge = {
  dialect: 'opencode',
  pieces: ({ scope, home, cwd, env }, setup) => {
    const xdg = env['XDG_CONFIG_HOME'] ?? '';
    const user = join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'opencode');
    const folder = scope === 'project' ? join(cwd, '.opencode') : user;
    return [{ kind: 'whole', file: join(folder, 'plugin', 'anyhook.js'), text: pluginText(setup) }];
  },
};

const pluginText = ({ moduleUrl, node, failure, strict }: Setup): string => `${MODULE_MARK}
const url = ${JSON.stringify(moduleUrl('opencode-plugin'))};
process.env.ANYHOOK_NODE ??= ${JSON.stringify(node)}; // what hooks are started from: an agent on Bun is no runtime for others
export const anyhook = async (input) => {
  try {
    return await (await import(url)).openPlugin(input${strict ? ', { strict: true }' : ''});
  } catch (error) {
    const why = \`anyhook is installed for this agent and cannot be loaded (\${error?.message ?? error}); see: anyhook doctor\`;
    console.error(why);
${
  failure === 'closed'
    ? `    const refuse = async () => {
      throw new Error(\`refused: \${why}\`);
    };
    return { 'tool.execute.before': refuse };`
    : '    return {};'
}
  }
};
`;

const extension = (agent: 'pi' | 'oh-my-pi', user: string, project: string): Bridge => ({
  dialect: 'oh-my-pi',
  pieces: ({ scope, home, cwd }, setup) => [
    {
      kind: 'whole',
      file: join(scope === 'project' ? join(cwd, project) : join(home, user), 'extensions', 'anyhook.js'),
      text: extensionText(agent, setup),
    },
  ],
});

const extensionText = (agent: string, { moduleUrl, node, failure, strict }: Setup): string => `${MODULE_MARK}
const url = ${JSON.stringify(moduleUrl('pi-extension'))};
process.env.ANYHOOK_NODE ??= ${JSON.stringify(node)}; // what hooks are started from: an agent on Bun is no runtime for others
export default async function anyhook(pi) {
  try {
    (await import(url)).openExtension(pi, ${JSON.stringify(agent)}${strict ? ', { strict: true }' : ''});
  } catch (error) {
    const why = \`anyhook is installed for this agent and cannot be loaded (\${error?.message ?? error}); see: anyhook doctor\`;
    console.error(why);
${failure === 'closed' ? "    pi.on('tool_call', () => ({ block: true, reason: `refused: ${why}` }));\n" : ''}  }
}
`;

export const MODULE_AGENTS = {
  opencode,
  pi: extension('pi', '.pi/agent', '.pi'),
  'oh-my-pi': extension('oh-my-pi', '.omp/agent', '.omp'),
} as const;
