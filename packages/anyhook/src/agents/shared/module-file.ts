/** The small file that an agent which runs code loads: it finds us, or says why it cannot. */
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentSetup, Setup } from './bridge.ts';
import { clientFolder, type ClientLocation } from './client-command.ts';

/** First line of every file of ours: by it such a file is known, and not taken for somebody's plugin. */
export const MODULE_MARK =
  '// The bridge to anyhook; written by `anyhook install`, taken away by `anyhook uninstall`.';

/** Beside the client: one path below the home folder, wherever we are installed. */
export const moduleLauncherFile = (location: ClientLocation): string =>
  join(clientFolder(location), 'open.mjs');

/** What stands there: where we are, on this machine. */
export const moduleLauncherText = ({
  moduleUrl,
  node,
}: Pick<Setup, 'moduleUrl' | 'node'>): string => `${MODULE_MARK}
process.env.ANYHOOK_NODE ??= ${JSON.stringify(node)}; // what hooks are started from: an agent on Bun is no runtime for others
export { open } from ${JSON.stringify(moduleUrl)};
`;

/** In a project's file no path of this machine: where the home is, is looked up when it is loaded. */
export const moduleHead = (setup: AgentSetup): string =>
  setup.scope === 'project'
    ? `${MODULE_MARK}
import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';
const url = pathToFileURL(\`\${homedir()}/${relative('/', moduleLauncherFile({ home: '/' }))}\`).href;
`
    : `${MODULE_MARK}
const url = ${JSON.stringify(pathToFileURL(moduleLauncherFile(setup)).href)};
`;

/** An expression for what `in-process/open.ts` gives back, about the value of this name. */
export const opened = ({ agent, strict }: AgentSetup, given: string): string =>
  `await (await import(url)).open(${JSON.stringify(agent)}, ${given}${strict ? ', { strict: true }' : ''})`;

/**
 * In a `catch (error)`: why we could not be loaded, said and kept. Our command line may be gone too, so the message names what
 * works without it: the package to install, or this file to delete.
 */
export const sayWhy = `    const file = decodeURIComponent(new URL(import.meta.url).pathname);
    const why = \`anyhook is installed for this agent and cannot be loaded (\${error?.message ?? error}). Install it again: npm install -g anyhook. Or go on without it: rm "\${file}"\`;
    console.error(why);
`;
