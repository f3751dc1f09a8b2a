/**
 * When an agent runs the hooks of a project itself, and where it stores the user's decision about the folder. The
 * bridge skips a hook only if the agent is known to run it. Otherwise a trusted guard would not run at all.
 */

import { dirname, isAbsolute, join } from 'node:path';
import { isFields } from '../../events/fields.ts';

export interface AgentHome {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file; undefined if it is missing or unreadable. */
  readonly read: (file: string) => string | undefined;
}
export interface FolderTrust {
  /** True only if the agent has recorded that it runs the hooks of this folder. */
  readonly isTrusted: (folder: string, agent: AgentHome) => boolean;
}
/**
 * `always`: the agent runs them wherever it runs our bridge. `unknown`: it asks the user first and keeps no readable
 * record. Decisions for one session, such as `--trust`, are not recorded either.
 */
export type ProjectHooks = 'always' | 'unknown' | FolderTrust;

/** The folder and its parents, nearest first. */
export function foldersUp(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUp(parent)];
}

/** The object in a JSON file; undefined if there is none. */
export function jsonObject(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isFields(value) ? value : undefined;
  } catch {
    return undefined; // an unreadable record proves nothing
  }
}

/** The folder from a variable, or the usual one below the home folder. */
export const agentFolder = ({ home, env }: AgentHome, variable: string, usual: string): string => {
  const named = env[variable] ?? '';
  return isAbsolute(named) ? named : join(home, usual);
};
