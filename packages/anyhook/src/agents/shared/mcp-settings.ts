/** Where an agent names its MCP servers, and in which words. Data: nothing is read or written here. */
import { join } from 'node:path';
import type { McpSpelling } from '../../events/mcp-names.ts';
import type { InstallLocation } from './bridge.ts';

export interface McpSettings {
  /** The first that is there counts. */
  readonly files: (where: InstallLocation) => readonly [string, ...string[]];
  readonly format: 'json' | 'toml' | 'yaml';
  /** What holds the servers, by name. */
  readonly under: string;
  readonly words: McpWords;
  /** How it calls their tools, where its dialect says otherwise. */
  readonly names?: McpSpelling;
}

export interface McpWords {
  readonly command: string;
  /** Null: the command is a list, with its arguments. */
  readonly args: string | null;
  readonly env: string;
  /** Of a server over streamable HTTP. */
  readonly url: string;
  readonly headers: string;
  /** The values of `type`, where it must be said. */
  readonly type: { readonly program: string; readonly address: string } | null;
}

/** One file, in the same place below the home folder and below a project. */
export const homeOrProject =
  (file: string): McpSettings['files'] =>
  ({ scope, home, cwd }) => [join(scope === 'project' ? cwd : home, file)];

/** As most agents write it. */
export const USUAL_WORDS: McpWords = {
  command: 'command',
  args: 'args',
  env: 'env',
  url: 'url',
  headers: 'headers',
  type: null,
};
/** How most agents keep their servers. */
export const JSON_SERVERS = { format: 'json', under: 'mcpServers', words: USUAL_WORDS } as const;
