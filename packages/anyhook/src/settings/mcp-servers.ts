/**
 * Resolves MCP servers that hooks refer to by name, from `.mcp.json` in the home folder and in the project. A
 * name is resolved before trust is checked, so that trust covers the program that will start.
 */

import { join } from 'node:path';
import { spotAt } from '../events/checker.ts';
import type { Locations } from '../events/dialect.ts';
import { readDocument } from '../events/document.ts';
import type { Hook, McpServer, WayOf } from '../events/hook.ts';
import { mcpServer } from '../events/mcp-server.ts';
import type { Problem } from '../events/problems.ts';
import { readSettingsFile } from './read-file.ts';

export interface NamedServers {
  readonly hooks: readonly Hook[];
  /** The user's hooks with a server of the project. They start the project's code. */
  readonly borrowed: ReadonlySet<Hook>;
  readonly problems: readonly Problem[];
}
export interface NamingOptions {
  /** The host has its own MCP client, so only explicit server names are resolved. */
  readonly hasClient: boolean;
}

export function nameServers(
  hooks: readonly Hook[],
  { home, cwd, env }: Locations,
  { hasClient }: NamingOptions,
): NamedServers {
  const borrowed = new Set<Hook>();
  if (!hooks.some(({ run }) => run.kind === 'mcp' && typeof run.server !== 'object'))
    return { hooks, borrowed, problems: [] };
  const problems: Problem[] = [];
  const users = serversIn(join(home, '.mcp.json'), env, problems);
  const projects = home === cwd ? users : serversIn(join(cwd, '.mcp.json'), env, problems);
  const named = hooks.map((hook) => {
    const { run } = hook;
    if (run.kind !== 'mcp' || typeof run.server === 'object') return hook;
    const ownFirst = hook.origin.layer === 'project' ? [projects, users] : [users, projects];
    for (const servers of ownFirst) {
      const found = lookUp(run, servers, hasClient);
      if (found === undefined) continue;
      const made: Hook = { ...hook, run: { ...run, ...found } };
      if (servers === projects && projects !== users && hook.origin.layer !== 'project') borrowed.add(made);
      return made;
    }
    return hook;
  });
  return { hooks: named, borrowed, problems };
}

type Servers = ReadonlyMap<string, McpServer>;

/**
 * Uses the hook's server name, or the first part of the tool's full name: `memory__recall`,
 * `mcp__memory__recall`.
 */
function lookUp(
  { server, tool }: WayOf<'mcp'>,
  servers: Servers,
  hasClient: boolean,
): Pick<WayOf<'mcp'>, 'server' | 'tool'> | undefined {
  if (typeof server === 'string') {
    const known = servers.get(server);
    return known === undefined ? undefined : { server: known, tool };
  }
  const [, name, rest] = /^(?:mcp__)?(.+?)__(.+)$/s.exec(tool) ?? [];
  const known = hasClient || name === undefined ? undefined : servers.get(name);
  return known === undefined ? undefined : { server: known, tool: rest! };
}

/** Returns the file's `mcpServers` by name. */
export function serversIn(file: string, env: Locations['env'], problems: Problem[]): Servers {
  const found = readSettingsFile(file);
  if (found.kind === 'problem') problems.push(found.problem);
  if (found.kind !== 'text') return new Map();
  const document = readDocument(found.text, file);
  problems.push(...document.problems);
  const spot = spotAt(document, ['mcpServers'], problems);
  const names = typeof spot.value === 'object' && spot.value !== null ? Object.keys(spot.value) : [];
  return new Map(
    names.flatMap((name) => {
      const server = mcpServer(spot.part(name));
      return server === undefined ? [] : [[name, filled(server, env)] as const];
    }),
  );
}

/** Expands `${NAME}` and `${NAME:-default}`, as other agents do in these files. */
function filled(server: McpServer, env: Locations['env']): McpServer {
  const fill = (text: string) =>
    text.replace(
      /\$\{(\w+)(?::-([^}]*))?\}/g,
      (whole, name: string, other?: string) => env[name] ?? other ?? whole,
    );
  const fillAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, fill(value)]));
  if ('url' in server)
    return { url: fill(server.url), ...(server.headers && { headers: fillAll(server.headers) }) };
  return {
    ...server,
    command: fill(server.command),
    ...(server.args && { args: server.args.map(fill) }),
    ...(server.env && { env: fillAll(server.env) }),
  };
}
