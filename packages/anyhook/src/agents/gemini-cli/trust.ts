import { dirname, join } from 'node:path';
import { isFields } from '../../events/fields.ts';
import { agentFolder, foldersUp, type FolderTrust, jsonObject } from '../shared/project-hooks.ts';

/**
 * Gemini CLI skips project settings in untrusted folders. A folder counts as trusted if the feature is explicitly
 * disabled (its default differs between versions), or if `trustedFolders.json` has a rule for it.
 */
export const geminiTrust: FolderTrust = {
  isTrusted(folder, agent) {
    const base = join(agentFolder(agent, 'GEMINI_CLI_HOME', ''), '.gemini');
    const security = jsonObject(agent.read(join(base, 'settings.json')))?.['security'];
    const setting = isFields(security) ? security['folderTrust'] : undefined;
    if (isFields(setting) && setting['enabled'] === false) return true;
    const file = agent.env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? join(base, 'trustedFolders.json');
    const rules = Object.entries(jsonObject(agent.read(file)) ?? {}).map(([path, level]) => ({
      path: level === 'TRUST_PARENT' ? dirname(path) : path,
      isTrusted: level === 'TRUST_FOLDER' || level === 'TRUST_PARENT',
    }));
    for (const above of foldersUp(folder)) {
      const fitting = rules.filter(({ path }) => path === above);
      if (fitting.length > 0) return fitting.every(({ isTrusted }) => isTrusted);
    }
    return false;
  },
};
