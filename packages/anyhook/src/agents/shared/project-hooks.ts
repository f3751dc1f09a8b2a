/**
 * When an agent runs the hooks of a project by itself, and where it keeps the user's decision about the folder. A hook is left to
 * an agent only where it is known to run it: otherwise a trusted guard would run nowhere.
 */
import { dirname, isAbsolute, join } from 'node:path';
import { isFields } from '../../events/fields.ts';

export interface AgentHome {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file; undefined if there is none or it cannot be read. */
  readonly read: (file: string) => string | undefined;
}
export interface FolderTrust {
  /** True only if the agent's own record says that it runs the hooks of this folder. */
  readonly isTrusted: (folder: string, agent: AgentHome) => boolean;
}
/**
 * `always`: the agent runs them wherever it runs our bridge. `unknown`: it asks its user first and keeps no record that we can
 * read. Decisions for one session only, such as `--trust`, are in no record either.
 */
export type ProjectHooks = 'always' | 'unknown' | FolderTrust;

/** The folder and those above it, the nearest first. */
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
    return undefined; // a record that cannot be read vouches for nothing
  }
}

/** The folder named by a variable, or the usual one below the home folder. */
export const agentFolder = ({ home, env }: AgentHome, variable: string, usual: string): string => {
  const named = env[variable] ?? '';
  return isAbsolute(named) ? named : join(home, usual);
};
