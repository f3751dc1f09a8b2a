import { join } from 'node:path';
import { agentFolder, foldersUp, type FolderTrust, jsonObject } from '../shared/project-hooks.ts';

/**
 * The nearest decision in `trust.json` counts, then `defaultProjectTrust`. Without either, pi asks or skips extensions
 * silently.
 */
export const piTrust: FolderTrust = {
  isTrusted(folder, agent) {
    const base = agentFolder(agent, 'PI_CODING_AGENT_DIR', '.pi/agent');
    const decisions = jsonObject(agent.read(join(base, 'trust.json'))) ?? {};
    const decided = foldersUp(folder).find((one) => typeof decisions[one] === 'boolean');
    if (decided !== undefined) return decisions[decided] === true;
    return jsonObject(agent.read(join(base, 'settings.json')))?.['defaultProjectTrust'] === 'always';
  },
};
