/** The small file that agents load as a module. It loads anyhook, or prints why it cannot. */

import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentSetup, Setup } from './bridge.ts';
import { clientFolder, type ClientLocation } from './client-command.ts';

/** The first line of all our module files. It tells them apart from plugins of the user. */
export const MODULE_MARK =
  '// The bridge to anyhook; written by `anyhook install`, taken away by `anyhook uninstall`.';

/** Located next to the client, at one path below the home folder, wherever anyhook is installed. */
export const moduleLauncherFile = (location: ClientLocation): string =>
  join(clientFolder(location), 'open.mjs');

/** Content of the launcher: where anyhook is on this machine. */
export const moduleLauncherText = ({
  moduleUrl,
  node,
}: Pick<Setup, 'moduleUrl' | 'node'>): string => `${MODULE_MARK}
process.env.ANYHOOK_NODE ??= ${JSON.stringify(node)}; // what hooks are started from: an agent on Bun is no runtime for others
export { open } from ${JSON.stringify(moduleUrl)};
`;

/** A project file contains no path of this machine. The home folder is resolved when the file is loaded. */
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

/** An expression for the result of `in-process/open.ts` for the variable of this name. */
export const opened = ({ agent, strict }: AgentSetup, given: string): string =>
  `await (await import(url)).open(${JSON.stringify(agent)}, ${given}${strict ? ', { strict: true }' : ''})`;

/**
 * The body of a `catch (error)`: prints and stores why anyhook could not be loaded. Our command line may be missing
 * too, so the message names steps that work without it: install the package, or delete this file.
 */
export const sayWhy = `    const file = decodeURIComponent(new URL(import.meta.url).pathname);
    const why = \`anyhook is installed for this agent and cannot be loaded (\${error?.message ?? error}). Install it again: npm install -g anyhook. Or go on without it: rm "\${file}"\`;
    console.error(why);
`;
