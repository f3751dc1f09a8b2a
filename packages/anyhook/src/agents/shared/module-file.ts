/** The small file that an agent which runs code loads: it finds us, or says why it cannot. */
import type { AgentSetup } from './bridge.ts';

/** First line of every file of ours: by it such a file is known, and not taken for somebody's plugin. */
export const MODULE_MARK =
  '// The bridge to anyhook; written by `anyhook install`, taken away by `anyhook uninstall`.';

export const moduleHead = ({ moduleUrl, node }: AgentSetup): string => `${MODULE_MARK}
const url = ${JSON.stringify(moduleUrl)};
process.env.ANYHOOK_NODE ??= ${JSON.stringify(node)}; // what hooks are started from: an agent on Bun is no runtime for others
`;

/** An expression for what `hosts/in-process/open.ts` gives back, about the value of this name. */
export const opened = ({ agent, strict }: AgentSetup, given: string): string =>
  `await (await import(url)).open(${JSON.stringify(agent)}, ${given}${strict ? ', { strict: true }' : ''})`;

/** In a `catch (error)`: why we could not be loaded, said and kept. */
export const sayWhy = `    const why = \`anyhook is installed for this agent and cannot be loaded (\${error?.message ?? error}); see: anyhook doctor\`;
    console.error(why);
`;
