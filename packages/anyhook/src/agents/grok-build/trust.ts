import { join } from 'node:path';
import { parse } from 'smol-toml';
import { isFields } from '../../events/fields.ts';
import { agentFolder, type FolderTrust } from '../shared/project-hooks.ts';

/**
 * `/hooks-trust` and `--trust` add the folder to `trusted_folders.toml`. Parent folders are not considered, because
 * their effect is unknown.
 */
export const grokTrust: FolderTrust = {
  isTrusted(folder, agent) {
    const text = agent.read(join(agentFolder(agent, 'GROK_HOME', '.grok'), 'trusted_folders.toml'));
    return foldersIn(text ?? '').includes(folder);
  },
};

function foldersIn(text: string): unknown[] {
  try {
    const { folders } = parse(text);
    return Array.isArray(folders) ? folders.map((entry) => isFields(entry) && entry['path']) : [];
  } catch {
    return []; // an unreadable record proves nothing
  }
}
