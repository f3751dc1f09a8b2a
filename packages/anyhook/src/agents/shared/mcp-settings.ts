/** Where and in which format an agent configures MCP servers. Data only: nothing is read or written here. */

import { join } from 'node:path';
import type { McpSpelling } from '../../events/mcp-names.ts';
import type { InstallLocation } from './bridge.ts';

export interface McpSettings {
  /** The first existing file is used. */
  readonly files: (where: InstallLocation) => readonly [string, ...string[]];
  readonly format: 'json' | 'toml' | 'yaml';
  /** The key of the servers by name. */
  readonly under: string;
  readonly words: McpWords;
  /** How it spells their tools, if not as its dialect does. */
  readonly names?: McpSpelling;
}

export interface McpWords {
  readonly command: string;
  /** Null: the command is a list that includes its arguments. */
  readonly args: string | null;
  readonly env: string;
  /** For a server over streamable HTTP. */
  readonly url: string;
  readonly headers: string;
  /** Values of `type`, if required. */
  readonly type: { readonly program: string; readonly address: string } | null;
}

/** One file with the same relative path in the home folder and in a project. */
export const homeOrProject =
  (file: string): McpSettings['files'] =>
  ({ scope, home, cwd }) => [join(scope === 'project' ? cwd : home, file)];

/** The format of most agents. */
export const USUAL_WORDS: McpWords = {
  command: 'command',
  args: 'args',
  env: 'env',
  url: 'url',
  headers: 'headers',
  type: null,
};
/** The location of most agents. */
export const JSON_SERVERS = { format: 'json', under: 'mcpServers', words: USUAL_WORDS } as const;
