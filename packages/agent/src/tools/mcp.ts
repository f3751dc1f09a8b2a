/** Tools of MCP servers, from the user and from a project that the user trusts. */

import { join } from 'node:path';
import { findMcpServers, type FoundServer, type FoundServers } from 'anyhook';
import { askTrust } from '../front/ask-trust.ts';
import type { Dialogs } from '../front/person.ts';
import { problemLine } from '../front/problem-line.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { AgentTool } from './tool.ts';

export interface McpTerms {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hashes that are trusted for this session. */
  readonly hashes?: readonly string[];
  /** Time limit in milliseconds for starting a server and listing its tools. */
  readonly startMs?: number;
  /** Asks about project servers that are not trusted yet. */
  readonly ui?: Pick<Dialogs, 'notify' | 'select'>;
  readonly signal?: AbortSignal;
}
export interface McpTools {
  readonly tools: AgentTool[];
  /** One line for each server that did not start. */
  readonly problems: string[];
  /** Project servers that need trust, and how to grant it. */
  readonly found: FoundServers;
  close(): Promise<void>;
}

const START_MS = 30_000;

export async function openMcpTools(terms: McpTerms): Promise<McpTools> {
  const { cwd, home, env, hashes, startMs, ui, signal } = terms;
  const own = [join(home, '.config', 'anyhook-agent', 'mcp.json')];
  const find = () => findMcpServers({ cwd, home, env, own, ...(hashes && { trust: { hashes } }) });
  let found = await find();
  if (ui !== undefined && (await askTrust(found, ui))) found = await find();
  const opened = await openServers(found.servers, {
    cwd,
    ...(startMs !== undefined && { startMs }),
    ...(signal && { signal }),
  });
  return { ...opened, problems: [...found.problems.map(problemLine), ...opened.problems], found };
}

/** Opens the servers. A server that cannot be started is reported; the others and the agent continue. */
export async function openServers(
  servers: readonly FoundServer[],
  { cwd, startMs = START_MS, signal }: Pick<McpTerms, 'cwd' | 'startMs' | 'signal'>,
): Promise<Omit<McpTools, 'found'>> {
  const problems: string[] = [];
  const connections: McpConnection[] = [];
  const deadline = AbortSignal.any([AbortSignal.timeout(startMs), ...(signal ? [signal] : [])]);
  const open = async (server: FoundServer): Promise<readonly AgentTool[]> => {
    // Most projects have no server, so the protocol package is loaded on demand.
    const { McpConnection } = await import('./mcp-connection.ts');
    const connection = new McpConnection(server, cwd);
    connections.push(connection);
    try {
      return await connection.open(deadline);
    } catch (error) {
      await connection.close();
      problems.push(`${server.file}: the MCP server '${server.name}' ${whyOf(error, deadline, startMs)}`);
      return [];
    }
  };
  const lists = await Promise.all(servers.map(open));
  return {
    tools: lists.flat(),
    problems,
    close: async () => {
      await Promise.allSettled(connections.map((connection) => connection.close()));
    },
  };
}

function whyOf(error: unknown, deadline: AbortSignal, startMs: number): string {
  if (deadline.aborted) return `did not start within ${startMs} ms.`;
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
  const deeper = cause?.message || cause?.code;
  return `could not be started: ${deeper ? `${message} (${deeper})` : message}`;
}
