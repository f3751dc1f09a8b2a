/**
 * Runs hooks that are tools of MCP servers. Does not interpret the result: the hook's dialect reads the text.
 */

import type { FailureKind, Limit, Reply, SendRequest } from '../../events/exchange.ts';
import type { McpServer, WayOf } from '../../events/hook.ts';
import { thrownText } from '../../events/thrown.ts';
import { type RunningCall, runCall } from '../call.ts';
import { Connection } from './connection.ts';
import { McpFailure } from './fault.ts';
import { usualVariables } from './usual-variables.ts';

/** The part of a tool result that is read. The official SDK's `CallToolResult` is compatible. */
export interface ToolAnswer {
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** The host's own client, which knows the servers of its session. */
export type CallTool = (
  tool: string,
  args: Record<string, unknown>,
  how: { readonly signal: AbortSignal; readonly server?: string },
) => Promise<ToolAnswer>;

export interface McpRunner {
  /** Never rejects or throws: every result is a reply. */
  run(way: WayOf<'mcp'>, request: SendRequest, limit: Limit): Promise<Reply>;
  /** Ends the servers that were started. */
  close(): Promise<void>;
}
export interface McpRunnerOptions {
  readonly callTool?: CallTool | undefined;
  /** Default working directory of servers. */
  readonly cwd?: string;
  /** Variables of every server that is started. The server's own settings take precedence. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The environment from which servers inherit the usual variables, such as PATH. Default: this process's.
   */
  readonly inherited?: Readonly<Record<string, string | undefined>>;
}

/** Servers are started on first use and kept. They do not keep the program alive and end with it. */
export function openMcpRunner({
  callTool,
  cwd = process.cwd(),
  env,
  inherited,
}: McpRunnerOptions = {}): McpRunner {
  const connections = new Map<string, Connection>();
  let isClosed = false;

  const connectionTo = (server: McpServer): Connection => {
    const key = JSON.stringify(server);
    let connection = connections.get(key);
    if (connection === undefined || connection.isSpent)
      connections.set(
        key,
        (connection = new Connection(
          'command' in server
            ? { ...server, env: { ...usualVariables(inherited), ...env, ...server.env } }
            : server,
          cwd,
        )),
      );
    return connection;
  };
  /** Repeats a call that the server did not process because it had lost the session. */
  async function callAt(
    server: McpServer,
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    try {
      return await connectionTo(server).call(tool, args, signal);
    } catch (error) {
      if (error instanceof McpFailure && error.isUntaken)
        return connectionTo(server).call(tool, args, signal);
      throw error;
    }
  }
  async function ask({ server, tool }: WayOf<'mcp'>, body: string, signal: AbortSignal): Promise<Reply> {
    const args = argumentsIn(body);
    if (typeof server === 'object') return replyTo(await callAt(server, tool, args, signal));
    if (callTool === undefined) throw new McpFailure('unavailable', unreachable(tool, server));
    return replyTo(await callTool(tool, args, { signal, ...(server !== undefined && { server }) }));
  }

  return {
    async run(way, { body }, limit) {
      if (isClosed) return broken('aborted', 'the runner is closed');
      const fn = (_: unknown, { signal }: RunningCall) => ask(way, body, signal).catch(faultReply);
      const reply = await runCall({ kind: 'call', direct: true, fn }, { kind: 'call', args: [] }, limit);
      if (reply.kind === 'returned') return reply.value as Reply; // `ask` returns nothing else
      return reply.kind === 'threw' ? broken('failed', reply.message) : reply;
    },
    async close() {
      isClosed = true;
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

function argumentsIn(body: string): Record<string, unknown> {
  try {
    const args: unknown = JSON.parse(body);
    if (typeof args === 'object' && args !== null && !Array.isArray(args))
      return args as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw new McpFailure('unreadable', 'the arguments are not a JSON object');
}

/** Joins all text parts without separator, like Goose. */
function replyTo(result: ToolAnswer | undefined): Reply {
  if (result === undefined || !Array.isArray(result.content))
    throw new McpFailure('unreadable', 'the tool returned an invalid result');
  const body = result.content.map(textPart).join('');
  if (result.isError === true)
    throw new McpFailure('failed', body.trim() || 'the tool reported a failure without a message');
  return { kind: 'answered', status: 200, body };
}

const textPart = (part: unknown): string => {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return type === 'text' && typeof text === 'string' ? text : '';
};

const unreachable = (tool: string, server: string | undefined): string =>
  server === undefined
    ? `no server for the tool '${tool}': set "server" in the hook, or add the server to .mcp.json`
    : `unknown server '${server}': describe it in the hook or in .mcp.json`;

const faultReply = (error: unknown): Reply =>
  error instanceof McpFailure ? broken(error.kind, error.message) : broken('failed', thrownText(error));

const broken = (kind: FailureKind, detail: string): Reply => ({ kind: 'broken', why: { kind, detail } });
