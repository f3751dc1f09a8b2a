import { join } from 'node:path';
import { agentFolder, foldersUp, type FolderTrust, jsonObject } from '../shared/project-hooks.ts';

/** `config.json` lists folders that are trusted for future sessions. Their subfolders are trusted too. */
export const copilotTrust: FolderTrust = {
  isTrusted(folder, agent) {
    const config = jsonObject(
      agent.read(join(agentFolder(agent, 'COPILOT_HOME', '.copilot'), 'config.json')),
    );
    const trusted = [config?.['trusted_folders'], config?.['trustedFolders']].flat();
    return foldersUp(folder).some((one) => trusted.includes(one));
  },
};
